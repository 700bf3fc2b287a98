import { Injectable } from '@nestjs/common';
import { CallAudit } from '../audit/call-audit.js';
import { CallAuthenticator } from './call-authenticator.js';
import { type CallSeed, type IdentifiedCall } from './call-context.js';
import { RateLimits } from '../limits/rate-limits.js';

/** What every wire asks before it reads a body or decodes a message: who calls, and whether too often. Who is turned away is audited. */
@Injectable()
export class CallEntrance {
  constructor(
    private readonly authenticator: CallAuthenticator,
    private readonly rates: RateLimits,
    private readonly audit: CallAudit,
  ) {}

  /** @throws {A2aError} RATE_LIMITED, or as `CallAuthenticator.identify` */
  async enter(seed: CallSeed): Promise<IdentifiedCall> {
    await this.rates.beforeCredentials(seed);
    const call = await this.#identify(seed);
    await this.rates.beforeBody(call);
    return call;
  }

  async #identify(seed: CallSeed): Promise<IdentifiedCall> {
    try {
      return await this.authenticator.identify(seed);
    } catch (error) {
      this.audit.turnedAway(seed, error);
      throw error;
    }
  }
}
