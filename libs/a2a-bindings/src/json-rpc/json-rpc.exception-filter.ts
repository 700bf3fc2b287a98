import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { ErrorReporter } from '../error-reporter.js';
import { HttpExchange } from '../http/http-exchange.js';
import { writeJsonRpcError } from './json-rpc.errors.js';

/** Everything that is thrown leaves as one JSON-RPC error. */
@Catch()
export class JsonRpcExceptionFilter implements ExceptionFilter {
  constructor(private readonly errors: ErrorReporter) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    writeJsonRpcError(HttpExchange.from(host), this.errors.publish(exception));
  }
}
