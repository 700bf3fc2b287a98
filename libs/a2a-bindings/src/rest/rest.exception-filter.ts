import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { ErrorReporter } from '../error-reporter.js';
import { HttpExchange } from '../http/http-exchange.js';
import { writeRestError } from './rest.errors.js';

/** Everything that is thrown leaves as one google.rpc.Status. */
@Catch()
export class RestExceptionFilter implements ExceptionFilter {
  constructor(private readonly errors: ErrorReporter) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    writeRestError(HttpExchange.from(host), this.errors.publish(exception));
  }
}
