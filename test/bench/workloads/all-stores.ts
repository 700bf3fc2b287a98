import { join } from 'node:path';
import { type Contender, type ContenderSpec } from '../measure/contender.js';
import { type Result } from '../measure/result.js';
import { type BenchOptions, withContenders, type Workload } from '../measure/workload.js';
import { OURS_FASTIFY, SDK, withDirectory } from './peers.js';

export type Measure = (contenders: readonly Contender[], rounds: number) => Promise<Omit<Result, 'id' | 'title'>>;

/** A workload for the platform in memory and on SQLite, and the SDK in memory. */
export function onAllStores(id: string, title: string, measure: Measure): Workload {
  const run = (options: BenchOptions): Promise<Result> =>
    withDirectory((directory) => {
      const storeUrl = `sqlite:${join(directory, 'ours.sqlite')}`;
      const sqlite: ContenderSpec = { name: 'ours, SQLite', server: 'ours', options: { adapter: 'fastify', storeUrl } };
      return withContenders([OURS_FASTIFY, sqlite, SDK], options, async (contenders) => ({
        id,
        title,
        ...(await measure(contenders, options.rounds)),
      }));
    });
  return { id, title, run };
}
