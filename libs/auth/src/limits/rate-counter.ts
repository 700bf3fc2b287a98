import { type Rate } from '@a2a/a2a-core';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** What became of an attempt to spend. */
export interface Spent {
  /** Seconds until more can be spent; 0 when the attempt succeeded. */
  readonly waitSeconds: number;
  /** The attempt is the one that went over, not one after it. */
  readonly isFirstRefusal: boolean;
}

const GRANTED: Spent = { waitSeconds: 0, isFirstRefusal: false };

/**
 * Counts one rate for many names. A name's points come back all at once, `seconds` after the first of them was spent.
 *
 * In this process it keeps `maxNames` names at most and forgets the one that spent longest ago, so that a caller who invents names cannot
 * fill memory with them.
 */
export class RateCounter {
  readonly #store: RateLimiterAbstract;
  readonly #names = new Set<string>();

  /** @param shared counts in place of this process's memory, without a bound of ours */
  constructor(
    private readonly rate: Rate,
    private readonly maxNames: number,
    private readonly shared?: RateLimiterAbstract,
  ) {
    this.#store = shared ?? new RateLimiterMemory({ points: rate.points, duration: rate.seconds });
  }

  /** Names counted right now. */
  get size(): number {
    return this.#names.size;
  }

  /** @throws whatever a shared store fails with */
  async spend(name: string, points: number): Promise<Spent> {
    if (!this.shared) await this.#remember(name);
    try {
      await this.#store.consume(name, points);
      return GRANTED;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return { waitSeconds: secondsOf(refusal), isFirstRefusal: refusal.consumedPoints - points <= this.rate.points };
    }
  }

  /**
   * Looks without spending.
   *
   * @returns seconds until `name` can spend again; 0 for now
   * @throws whatever a shared store fails with
   */
  async waitOf(name: string): Promise<number> {
    const spent = await this.#store.get(name);
    return spent && spent.consumedPoints >= this.rate.points && spent.msBeforeNext > 0 ? secondsOf(spent) : 0;
  }

  async #remember(name: string): Promise<void> {
    this.#names.delete(name);
    this.#names.add(name);
    const [oldest] = this.#names;
    if (this.#names.size <= this.maxNames || oldest === undefined) return;
    this.#names.delete(oldest);
    await this.#store.delete(oldest);
  }
}

function secondsOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1_000));
}
