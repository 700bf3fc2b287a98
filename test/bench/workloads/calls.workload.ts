import { HttpLoad, type Request } from '../load/http-load.js';
import { type Contender, type ContenderSpec } from '../measure/contender.js';
import { claimsOf, type Result, rowsOf, type Target } from '../measure/result.js';
import { measureRounds } from '../measure/rounds.js';
import { type BenchOptions, printProfile, withContenders, type Workload } from '../measure/workload.js';

export interface CallsPlan {
  readonly id: string;
  readonly title: string;
  readonly contenders: readonly ContenderSpec[];
  readonly targets: readonly Target[];
  /** What is asked; may ask for something first, such as a task to read. */
  prepare(load: HttpLoad, contender: Contender): Promise<Request>;
  /** Calls a round. Default 2 000. */
  readonly calls?: number;
}

const CONNECTIONS = 8;

/** Workloads of one short call that is made again and again. */
export function callsWorkload({ id, title, contenders: specs, targets, prepare, calls = 2_000 }: CallsPlan): Workload {
  const run = (options: BenchOptions): Promise<Result> =>
    withContenders(specs, options, async (contenders) => {
      const requests = new Map<Contender, Request>();
      for (const contender of contenders) requests.set(contender, await withLoad(contender, (load) => prepare(load, contender)));
      const work = (contender: Contender): Promise<number> =>
        withLoad(contender, async (load) => {
          await load.run(requests.get(contender) as Request, calls);
          return calls;
        });
      const figures = await measureRounds(contenders, options.rounds, work);
      if (options.profile) await printProfile(contenders, work);
      return { id, title, rows: rowsOf(figures, 'µs a call'), claims: claimsOf(figures, targets) };
    });
  return { id, title, run };
}

/** Connections for one round, since servers close those that are idle while it is the others' turn. */
async function withLoad<T>({ ports }: Contender, body: (load: HttpLoad) => Promise<T>): Promise<T> {
  const load = await HttpLoad.open(ports.http, CONNECTIONS);
  try {
    return await body(load);
  } finally {
    load.close();
  }
}
