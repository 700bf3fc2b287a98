import { type Metadata, type ServerWritableStream } from '@grpc/grpc-js';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { EMPTY, type Observable, throwError } from 'rxjs';
import { GrpcCallReader } from './grpc.call-reader.js';
import { GrpcFailures } from './grpc.failures.js';

/** Ends a call that failed, before its first message or in the middle of its stream, with status and details (A2A §10.6, §10.7). */
@Catch()
export class GrpcExceptionFilter implements ExceptionFilter {
  constructor(
    private readonly failures: GrpcFailures,
    private readonly calls: GrpcCallReader,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): Observable<never> {
    const call = host.getArgByIndex<ServerWritableStream<unknown, unknown>>(2);
    // Nobody is left to be told, and what failed failed because of that.
    if (call.cancelled) return EMPTY;
    const known = this.calls.find(host.getArgByIndex<Metadata>(1))?.incoming;
    const begun = known && { signal: known.signal, owner: known.principal.owner };
    return throwError(() => this.failures.describe(thrown, call.getPath(), begun));
  }
}
