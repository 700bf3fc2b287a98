import { type DynamicModule, Inject, Module, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { A2aLogger, NestA2aLogger, OutboundHttp } from '@a2a/a2a-core';
import { GuardedHttp, type GuardedHttpOptions } from './guarded-http.js';
import { TargetPolicy } from './target.policy.js';

const OUTBOUND_OPTIONS = Symbol('outbound options');

/** Provides OutboundHttp, guarded, in hosts and in applications that are clients only. What is loosened is said aloud at every start. */
@Module({})
export class OutboundModule implements OnApplicationShutdown {
  constructor(
    @Inject(OUTBOUND_OPTIONS) options: GuardedHttpOptions,
    private readonly http: OutboundHttp,
    @Optional() logger: A2aLogger = new NestA2aLogger(),
  ) {
    if (new TargetPolicy(options.targets).isLoosened) {
      logger.warn('Outbound calls may leave the public internet; never do this in production', { ...options.targets });
    }
  }

  static forRoot(options: GuardedHttpOptions = {}): DynamicModule {
    return {
      module: OutboundModule,
      global: true,
      providers: [
        { provide: OUTBOUND_OPTIONS, useValue: options },
        { provide: OutboundHttp, useFactory: () => new GuardedHttp(options) },
      ],
      exports: [OutboundHttp],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.http instanceof GuardedHttp) await this.http.close();
  }
}
