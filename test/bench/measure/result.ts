import { type Figures, ratioOf, type Spread, spreadOf } from './rounds.js';

/** What one workload showed. */
export interface Result {
  /** Such as `W1`. */
  readonly id: string;
  readonly title: string;
  readonly rows: readonly Row[];
  readonly claims: readonly Claim[];
}

export interface Row {
  readonly name: string;
  readonly figure: Spread;
  readonly unit: string;
}

/** A target and what was measured. */
export interface Claim {
  readonly text: string;
  readonly measured: Spread;
  readonly atMost: number;
}

/** A target of the form: `of` costs at most so many times what `to` costs. */
export interface Target {
  readonly of: string;
  readonly to: string;
  readonly atMost: number;
}

export function rowsOf(figures: Figures, unit: string, scale = 1): Row[] {
  return [...figures].map(([name, values]) => ({ name, unit, figure: spreadOf(values.map((value) => value * scale)) }));
}

/** Targets whose contenders took part. */
export function claimsOf(figures: Figures, targets: readonly Target[]): Claim[] {
  return targets
    .filter(({ of, to }) => figures.has(of) && figures.has(to))
    .map(({ of, to, atMost }) => ({ text: `${of} ÷ ${to}`, measured: ratioOf(figures, of, to), atMost }));
}
