import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { HttpExchange } from '../http/http-exchange.js';
import { HttpFailures } from '../http/http.failures.js';
import { writeRestError } from './rest.errors.js';

/** Everything that is thrown leaves as one google.rpc.Status. */
@Catch()
export class RestExceptionFilter implements ExceptionFilter {
  constructor(private readonly failures: HttpFailures) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const exchange = HttpExchange.from(host);
    writeRestError(exchange, this.failures.publish(exception, exchange));
  }
}
