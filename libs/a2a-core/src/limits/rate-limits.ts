import { type HostedAgent } from '../agents/hosted-agent.js';
import { type OperationName } from '../protocol/operations.js';
import { type CallSeed, type IdentifiedCall } from '../call/call-context.js';
import { type Principal } from '../call/principal.js';

/** A call whose caller is admitted, as far as rates go by it. */
export interface RatedCall {
  readonly agent: HostedAgent;
  /** Empty for none. */
  readonly tenant: string;
  readonly principal: Principal;
  readonly operation: OperationName;
  readonly remoteAddress?: string;
}

/**
 * How often a caller may call. Asked at three points of every call, each as early as it can be answered.
 *
 * @throws {A2aError} RATE_LIMITED with `retryAfterSeconds`, from every method
 */
export abstract class RateLimits {
  /** By address, before credentials are looked at. Counts the call. */
  abstract beforeCredentials(seed: CallSeed): Promise<void>;

  /** By caller, before the body is read. Counts nothing: what the call costs is not known yet. */
  abstract beforeBody(call: IdentifiedCall): Promise<void>;

  /** By caller, tenant and agent, before parameters are looked at. Counts what the operation costs. */
  abstract beforeWork(call: RatedCall): Promise<void>;
}

/** For hosts whose callers may call as often as they like. */
export class NoRateLimits extends RateLimits {
  async beforeCredentials(): Promise<void> {}
  async beforeBody(): Promise<void> {}
  async beforeWork(): Promise<void> {}
}
