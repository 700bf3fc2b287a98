import { join } from 'node:path';
import { startPostgres } from '../../support/postgres.js';
import { sendMessage } from '../load/calls.js';
import { type ContenderSpec } from '../measure/contender.js';
import { postgresCpu } from '../measure/postgres-cpu.js';
import { type Result } from '../measure/result.js';
import { type BenchOptions, type Workload } from '../measure/workload.js';
import { callsWorkload } from './calls.workload.js';
import { OURS_FASTIFY, SDK, withDirectory } from './peers.js';
import { streamsWorkload } from './streams.workload.js';

/** Databases of the same kind: one for the platform, one for the floor, one for the SDK. */
type Store = readonly [ours: ContenderSpec, floor: ContenderSpec, sdk: ContenderSpec];

/** Every commit is on disk before it is acknowledged; the SDK's SQLite alone may lose the last ones with the power. */
function contendersOn(urls: readonly [string, string, string], otherCpu?: () => number): Store {
  const [ours, floor, sdk] = urls;
  return [
    { name: 'ours, durable', server: 'ours', options: { adapter: 'fastify', storeUrl: ours }, otherCpu },
    { name: 'durable floor', server: 'floor', options: { storeUrl: floor }, streamPath: '/rpc/stream', otherCpu },
    { name: 'SDK, durable', server: 'sdk', options: { storeUrl: sdk }, otherCpu },
  ];
}

type Plan = (id: string, title: string, store: Store) => Workload;

/** As W2. */
const calls: Plan = (id, title, [ours, floor, sdk]) =>
  callsWorkload({
    id,
    title,
    contenders: [floor, sdk, SDK, OURS_FASTIFY, ours],
    targets: [
      { of: ours.name, to: floor.name, atMost: 1.5 },
      { of: ours.name, to: sdk.name, atMost: id === 'W2s' ? 0.3 : 0.4 },
      ...(id === 'W2s' ? [{ of: ours.name, to: SDK.name, atMost: 1.2 }] : []),
    ],
    prepare: async () => sendMessage('task'),
    calls: 500,
  });

/** As W3. */
const streams: Plan = (id, title, [ours, floor, sdk]) =>
  streamsWorkload({
    id,
    title,
    contenders: [floor, sdk, SDK, OURS_FASTIFY, ours],
    targets: [{ of: ours.name, to: floor.name, atMost: 1.5 }, ...(id === 'W3s' ? [{ of: ours.name, to: SDK.name, atMost: 0.4 }] : [])],
    chunks: 100,
  });

export const W2_SQLITE = onSqlite('W2s', 'blocking SendMessage → Task, SQLite', calls);
export const W3_SQLITE = onSqlite('W3s', '100 chunks, SQLite', streams);
export const W2_POSTGRES = onPostgres('W2p', 'blocking SendMessage → Task, PostgreSQL with its own CPU', calls);
export const W3_POSTGRES = onPostgres('W3p', '100 chunks, PostgreSQL with its own CPU', streams);

function onSqlite(id: string, title: string, plan: Plan): Workload {
  const run = (options: BenchOptions): Promise<Result> =>
    withDirectory((directory) => {
      const url = (name: string): string => `sqlite:${join(directory, `${name}.sqlite`)}`;
      return plan(id, title, contendersOn([url('ours'), url('floor'), url('sdk')])).run(options);
    });
  return { id, title, run };
}

function onPostgres(id: string, title: string, plan: Plan): Workload {
  const run = async (options: BenchOptions): Promise<Result> => {
    const server = await startPostgres({ durable: true });
    try {
      const urls = [await server.createDatabase(), await server.createDatabase(), await server.createDatabase()] as const;
      return await plan(id, title, contendersOn(urls, await postgresCpu(server.url))).run(options);
    } finally {
      await server.stop();
    }
  };
  return { id, title, run };
}
