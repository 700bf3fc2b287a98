import { streamMessage } from '../load/calls.js';
import { HttpLoad } from '../load/http-load.js';
import { type Contender, type ContenderSpec } from '../measure/contender.js';
import { claimsOf, type Result, rowsOf, type Target } from '../measure/result.js';
import { measureRounds } from '../measure/rounds.js';
import { type BenchOptions, printProfile, withContenders, type Workload } from '../measure/workload.js';

export interface StreamsPlan {
  readonly id: string;
  readonly title: string;
  readonly contenders: readonly ContenderSpec[];
  readonly targets: readonly Target[];
  /** Chunks of one stream. */
  readonly chunks: number;
}

const CONNECTIONS = 4;
/** About as many in a round, whatever the length of a stream. */
const EVENTS = 3_000;

/** Streams of chunks, each made in a turn of the event loop of its own, as a model would. The cost is that of one chunk. */
export function streamsWorkload({ id, title, contenders: specs, targets, chunks }: StreamsPlan): Workload {
  const streams = Math.ceil(EVENTS / chunks);
  const work = async ({ ports, streamPath }: Contender): Promise<number> => {
    const load = await HttpLoad.open(ports.http, CONNECTIONS);
    await load.run(streamMessage(`stream ${chunks}`, streamPath), streams);
    load.close();
    return streams * chunks;
  };
  const run = (options: BenchOptions): Promise<Result> =>
    withContenders(specs, options, async (contenders) => {
      const figures = await measureRounds(contenders, options.rounds, work);
      if (options.profile) await printProfile(contenders, work);
      return { id, title, rows: rowsOf(figures, 'µs an event'), claims: claimsOf(figures, targets) };
    });
  return { id, title, run };
}
