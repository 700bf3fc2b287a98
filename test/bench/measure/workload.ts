import { Contender, type ContenderSpec } from './contender.js';
import { type Result } from './result.js';

/** What the command line says. */
export interface BenchOptions {
  /** Rounds that count. */
  readonly rounds: number;
  /** Prints where the time of each contender of ours went. */
  readonly profile: boolean;
  /** Only contenders whose name holds one of these. */
  readonly only: readonly string[];
}

/** Something clients do, measured on several servers. */
export interface Workload {
  readonly id: string;
  readonly title: string;
  run(options: BenchOptions): Promise<Result>;
}

/** Runs `body` with started servers and ends them, however it ends. */
export async function withContenders<T>(
  specs: readonly ContenderSpec[],
  { only }: BenchOptions,
  body: (contenders: readonly Contender[]) => Promise<T>,
): Promise<T> {
  const chosen = only.length === 0 ? specs : specs.filter(({ name }) => only.some((part) => name.includes(part)));
  const contenders: Contender[] = [];
  try {
    for (const spec of chosen) contenders.push(await Contender.start(spec));
    return await body(contenders);
  } finally {
    await Promise.all(contenders.map((contender) => contender.stop()));
  }
}

/** Does the work once more under the profiler, and prints where the time went. */
export async function printProfile(contenders: readonly Contender[], work: (contender: Contender) => Promise<unknown>): Promise<void> {
  for (const contender of contenders) {
    await contender.ask('profile');
    await work(contender);
    const lines = await contender.ask('hot');
    process.stdout.write(`\n${contender.name}\n${lines.join('\n')}\n`);
  }
}
