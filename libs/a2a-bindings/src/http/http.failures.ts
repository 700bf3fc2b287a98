import { Injectable } from '@nestjs/common';
import { type A2aError, CallLog } from '@a2a/a2a-core';
import { ErrorReporter } from '../error-reporter.js';
import { type HttpExchange } from './http-exchange.js';

/** Turns whatever was thrown into what the client sees. A call that never got to its handler has its line in the log from here. */
@Injectable()
export class HttpFailures {
  constructor(
    private readonly reporter: ErrorReporter,
    private readonly log: CallLog,
  ) {}

  publish(thrown: unknown, exchange: HttpExchange): A2aError {
    const error = this.reporter.publish(thrown);
    if (exchange.begun) this.log.refused({ ...exchange.begun, signal: exchange.signal, owner: exchange.owner }, error);
    return error;
  }
}
