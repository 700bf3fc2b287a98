import { type DynamicModule, Module } from '@nestjs/common';
import { RateLimits } from '@a2a/a2a-core';
import { CountedRateLimits } from './counted-rate-limits.js';
import { RateLimitsOptions } from './rate-limits.options.js';

/** Rates for the whole host; every member of the options has a default. Hand it to `A2aCoreModule.forRoot({ rates: … })`. */
@Module({})
export class A2aRateLimitsModule {
  static forRoot(options: RateLimitsOptions = {}): DynamicModule {
    return {
      module: A2aRateLimitsModule,
      providers: [
        { provide: RateLimitsOptions, useValue: options },
        { provide: RateLimits, useClass: CountedRateLimits },
      ],
      exports: [RateLimits],
    };
  }
}
