import { type Contender } from './contender.js';

/** CPU microseconds for one operation of each contender, one figure a round. Rounds of all contenders lie side by side. */
export type Figures = ReadonlyMap<string, readonly number[]>;

/** Until the compiler of the platform has settled. */
const WARM_UP = 4;

/** Does some operations against a server and tells how many. */
export type Work = (contender: Contender) => Promise<number>;

/**
 * Lets every contender do the same work, one after the other, round after round.
 *
 * Neighbours on the machine and the clock of its cores change from second to second. So only figures of one round are compared, and the
 * order changes with each round. The first rounds warm up and do not count.
 */
export async function measureRounds(contenders: readonly Contender[], rounds: number, work: Work, warmUp = WARM_UP): Promise<Figures> {
  const figures = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds + warmUp; round++) {
    for (const contender of rotated(contenders, round)) {
      const before = await contender.cpu();
      const operations = await work(contender);
      const spent = (await contender.cpu()) - before;
      if (round >= warmUp) figures.get(contender.name)?.push(spent / operations);
    }
  }
  return figures;
}

function rotated<T>(items: readonly T[], by: number): T[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

/** A figure and how far the middle half of its rounds lies from it. */
export interface Spread {
  readonly median: number;
  readonly deviation: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const median = medianOf(values);
  return { median, deviation: medianOf(values.map((value) => Math.abs(value - median))) };
}

/** Of one contender to another, round by round. */
export function ratioOf(figures: Figures, of: string, to: string): Spread {
  const [ours = [], theirs = []] = [figures.get(of), figures.get(to)];
  return spreadOf(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = low] = sorted.length % 2 ? [sorted[middle]] : [sorted[middle - 1], sorted[middle]];
  return (low + high) / 2;
}
