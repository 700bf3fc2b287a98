import { type Rate } from '@a2a/a2a-core';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { GRANTED, RateCounter, type Spent } from './rate-counter.js';

/** Counts in a store that replicas share. A name's points come back all at once, `seconds` after the first of them was spent. */
export class SharedWindows extends RateCounter {
  constructor(
    private readonly rate: Rate,
    private readonly store: RateLimiterAbstract,
  ) {
    super();
  }

  async spend(name: string, points: number): Promise<Spent> {
    try {
      await this.store.consume(name, points);
      return GRANTED;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return { waitSeconds: secondsOf(refusal), isFirstRefusal: refusal.consumedPoints - points <= this.rate.points };
    }
  }

  async waitOf(name: string): Promise<number> {
    const spent = await this.store.get(name);
    return spent && spent.consumedPoints >= this.rate.points && spent.msBeforeNext > 0 ? secondsOf(spent) : 0;
  }
}

function secondsOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1_000));
}
