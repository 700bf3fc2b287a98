/** What became of an attempt to spend. */
export interface Spent {
  /** Seconds until as much can be spent; 0 when the attempt succeeded. */
  readonly waitSeconds: number;
  /** No other attempt under this name was refused in the time that the rate counts for. */
  readonly isFirstRefusal: boolean;
}

export const GRANTED: Spent = { waitSeconds: 0, isFirstRefusal: false };

/** Counts one rate for many names. */
export abstract class RateCounter {
  /** @throws whatever a shared store fails with */
  abstract spend(name: string, points: number): Promise<Spent>;

  /**
   * Looks without spending.
   *
   * @returns seconds until `name` can spend again; 0 for now
   * @throws whatever a shared store fails with
   */
  abstract waitOf(name: string): Promise<number>;
}
