import { Injectable } from '@nestjs/common';
import { CallAuthenticator } from './call-authenticator.js';
import { type CallSeed, type IdentifiedCall } from './call-context.js';
import { RateLimits } from './rate-limits.js';

/** What every wire asks before it reads a body or decodes a message: who calls, and whether too often. */
@Injectable()
export class CallEntrance {
  constructor(
    private readonly authenticator: CallAuthenticator,
    private readonly rates: RateLimits,
  ) {}

  /** @throws {A2aError} RATE_LIMITED, or as `CallAuthenticator.identify` */
  async enter(seed: CallSeed): Promise<IdentifiedCall> {
    await this.rates.beforeCredentials(seed);
    const call = await this.authenticator.identify(seed);
    await this.rates.beforeBody(call);
    return call;
  }
}
