import { randomUUID } from 'node:crypto';
import { HttpException, Injectable } from '@nestjs/common';
import { A2aError, type A2aErrorReason, A2aLogger, InternalError } from '@a2a/a2a-core';

/** Turns whatever was thrown into what a caller may see. The rest goes to the log, under the id the caller gets. */
@Injectable()
export class ErrorReporter {
  constructor(private readonly logger: A2aLogger) {}

  publish(exception: unknown): A2aError {
    if (exception instanceof A2aError) return this.#logged(exception);
    if (exception instanceof HttpException) {
      const known = FROM_HTTP_STATUS[exception.getStatus()];
      if (known) return new A2aError(known.reason, known.message, {}, { cause: exception });
    }
    return this.#logged(new InternalError(randomUUID(), exception));
  }

  #logged(error: A2aError): A2aError {
    if (SERVER_FAULTS.has(error.reason)) {
      this.logger.error('A call failed', { reason: error.reason, ...error.details.metadata, error: error.cause ?? error });
    }
    return error;
  }
}

const SERVER_FAULTS: ReadonlySet<A2aErrorReason> = new Set<A2aErrorReason>(['INTERNAL', 'INVALID_AGENT_RESPONSE']);

/** What guards and interceptors of the application throw; their own texts stay inside. */
const FROM_HTTP_STATUS: Readonly<Record<number, { reason: A2aErrorReason; message: string } | undefined>> = {
  400: { reason: 'INVALID_REQUEST', message: 'Invalid request' },
  401: { reason: 'UNAUTHENTICATED', message: 'Authentication required' },
  403: { reason: 'PERMISSION_DENIED', message: 'Permission denied' },
  404: { reason: 'ROUTE_NOT_FOUND', message: 'No such path' },
  405: { reason: 'METHOD_NOT_ALLOWED', message: 'Method not allowed' },
  408: { reason: 'REQUEST_TIMEOUT', message: 'The request took too long to arrive' },
  413: { reason: 'PAYLOAD_TOO_LARGE', message: 'The request body is too large' },
  415: { reason: 'UNSUPPORTED_MEDIA_TYPE', message: 'Unsupported media type' },
  429: { reason: 'RATE_LIMITED', message: 'Too many requests' },
  503: { reason: 'UNAVAILABLE', message: 'The service is not available right now' },
};
