import { type DynamicModule, Module } from '@nestjs/common';
import { A2aLogger } from '@a2a/a2a-core';

/** Makes the host's log the one that the core, the bindings and the agents write to. */
@Module({})
export class LoggingModule {
  static forRoot(logger: A2aLogger): DynamicModule {
    return { module: LoggingModule, global: true, providers: [{ provide: A2aLogger, useValue: logger }], exports: [A2aLogger] };
  }
}
