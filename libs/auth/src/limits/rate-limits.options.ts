import { type OperationName, type Rate } from '@a2a/a2a-core';
import { type RateLimiterAbstract } from 'rate-limiter-flexible';

/** Whom a rate is counted for. */
export type RateName = 'address' | 'caller' | 'tenant' | 'agent';

/**
 * What `A2aRateLimitsModule.forRoot` takes. `unlimited` switches a rate off. Also the token it is injected by.
 *
 * A rate of 60 points in 60 seconds lets a caller spend sixty at once, and one more each second.
 */
export abstract class RateLimitsOptions {
  /** Calls from one address, each of them one point; an IPv6 /64 is one address. Default 6 000 in 60 seconds. */
  readonly perAddress?: Rate | 'unlimited';
  /** Points one caller may spend with one agent; without credentials an address is one caller. Default 12 000 in 60 seconds. */
  readonly perCaller?: Rate | 'unlimited';
  /** Points all callers of one tenant may spend together. Default 60 000 in 60 seconds. */
  readonly perTenant?: Rate | 'unlimited';
  /** Points all callers of one agent may spend together. Default 120 000 in 60 seconds. */
  readonly perAgent?: Rate | 'unlimited';
  /** What operations cost, where it is not what `OPERATION_COSTS` says. */
  readonly costs?: Readonly<Partial<Record<OperationName, number>>>;
  /** Names counted at once for each kind of rate; beyond it the one that called longest ago is forgotten. Default 50 000. */
  readonly maxNames?: number;
  /**
   * Where a rate is counted; one that replicas share makes them count together, in windows whose points come back all at once. Default:
   * in this process, in buckets that are filled up steadily.
   *
   * @param name what is counted, such as `address` or `caller of echo`; different for each store, so it can be its key prefix
   * @param rate its points and seconds, for the limiter's own
   */
  readonly makeStore?: (name: string, rate: Rate) => RateLimiterAbstract;
}

export const DEFAULT_RATES: Readonly<Record<RateName, Rate>> = {
  address: { points: 6_000, seconds: 60 },
  caller: { points: 12_000, seconds: 60 },
  tenant: { points: 60_000, seconds: 60 },
  agent: { points: 120_000, seconds: 60 },
};

export const DEFAULT_MAX_NAMES = 50_000;
