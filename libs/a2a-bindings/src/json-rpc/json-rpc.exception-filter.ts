import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { HttpExchange } from '../http/http-exchange.js';
import { HttpFailures } from '../http/http.failures.js';
import { writeJsonRpcError } from './json-rpc.errors.js';

/** Everything that is thrown leaves as one JSON-RPC error. */
@Catch()
export class JsonRpcExceptionFilter implements ExceptionFilter {
  constructor(private readonly failures: HttpFailures) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const exchange = HttpExchange.from(host);
    writeJsonRpcError(exchange, this.failures.publish(exception, exchange));
  }
}
