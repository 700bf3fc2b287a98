import { type CanActivate, type ExecutionContext, Inject, Injectable, mixin, type Type } from '@nestjs/common';
import { CallEntrance } from '@a2a/a2a-core';
import { type CallReader } from './call-reader.js';

/** The guard of one wire: asks who calls before a body is read, so that a stranger costs the host nothing (A2A §7.4). */
export function callGuard(readerType: Type<CallReader>): Type<CanActivate> {
  @Injectable()
  class CallGuard implements CanActivate {
    constructor(
      @Inject(readerType) private readonly reader: CallReader,
      @Inject(CallEntrance) private readonly entrance: CallEntrance,
    ) {}

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const seed = this.reader.read(context);
      this.reader.accept(context, await this.entrance.enter(seed));
      return true;
    }
  }
  return mixin(CallGuard);
}
