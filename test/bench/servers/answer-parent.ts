import { type Profiler, Session } from 'node:inspector/promises';
import { hotFunctions } from './hot-functions.js';

const SAMPLE_EVERY_US = 100;

/** Where a server of the bench listens. */
export interface Ports {
  readonly http: number;
  readonly grpc?: number;
}

/** What the bench may ask of a server that it measures. */
export interface Answers {
  /** User and system time of the process so far. Microseconds. */
  cpu(): number;
  /** Bytes, after a collection when the process runs with `--expose-gc`. */
  memory(): { readonly rss: number; readonly heap: number };
  /** Lets an agent begin that waits for its audience. */
  go(): void;
  profile(): Promise<void>;
  /** The functions that took most of the time since `profile`, as lines. */
  hot(): Promise<string[]>;
}

/** Tells the bench that the server is ready, answers what it asks, and ends with it. */
export function answerParent(ports: Ports, go: () => void = () => undefined): void {
  const profiling = new Session();
  const answers: Answers = {
    cpu: () => {
      const { user, system } = process.cpuUsage();
      return user + system;
    },
    memory: () => {
      globalThis.gc?.();
      const { rss, heapUsed } = process.memoryUsage();
      return { rss, heap: heapUsed };
    },
    go,
    profile: async () => {
      profiling.connect();
      await profiling.post('Profiler.enable');
      await profiling.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
      await profiling.post('Profiler.start');
    },
    hot: async () => {
      const { profile } = (await profiling.post('Profiler.stop')) as { profile: Profiler.Profile };
      profiling.disconnect();
      return hotFunctions(profile);
    },
  };
  process.on('message', async ({ id, ask }: { id: number; ask: keyof Answers }) => {
    process.send?.({ id, answer: await answers[ask]() });
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ ports });
}

/** What the bench wants this server to be. */
export function serverOptions<Options>(): Options {
  return JSON.parse(process.argv[2] ?? '{}') as Options;
}
