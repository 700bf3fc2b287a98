import { type ServerWritableStream } from '@grpc/grpc-js';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { EMPTY, type Observable, throwError } from 'rxjs';
import { GrpcFailures } from './grpc.failures.js';

/** Ends a call that failed, before its first message or in the middle of its stream, with status and details (A2A §10.6, §10.7). */
@Catch()
export class GrpcExceptionFilter implements ExceptionFilter {
  constructor(private readonly failures: GrpcFailures) {}

  catch(thrown: unknown, host: ArgumentsHost): Observable<never> {
    const call = host.getArgByIndex<ServerWritableStream<unknown, unknown>>(2);
    // Nobody is left to be told, and what failed failed because of that.
    if (call.cancelled) return EMPTY;
    return throwError(() => this.failures.describe(thrown, call.getPath()));
  }
}
