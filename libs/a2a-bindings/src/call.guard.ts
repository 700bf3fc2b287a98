import { type CanActivate, type ExecutionContext, Inject, Injectable, mixin, type Type } from '@nestjs/common';
import { CallAuthenticator, RateLimits } from '@a2a/a2a-core';
import { type CallReader } from './call-reader.js';

/** The guard of one wire: asks who calls, and whether too often, before a body is read, so that a stranger costs the host nothing (A2A §7.4). */
export function callGuard(readerType: Type<CallReader>): Type<CanActivate> {
  @Injectable()
  class CallGuard implements CanActivate {
    constructor(
      @Inject(readerType) private readonly reader: CallReader,
      @Inject(CallAuthenticator) private readonly authenticator: CallAuthenticator,
      @Inject(RateLimits) private readonly rates: RateLimits,
    ) {}

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const seed = this.reader.read(context);
      await this.rates.beforeCredentials(seed);
      const call = await this.authenticator.identify(seed);
      await this.rates.beforeBody(call);
      this.reader.accept(context, call);
      return true;
    }
  }
  return mixin(CallGuard);
}
