import { type A2aError, type A2aErrorReason } from '@a2a/a2a-core';
import { errorDetails } from '../error-details.js';
import { answerHeaders } from '../http/answer-headers.js';
import { errorHeaders } from '../http/error-headers.js';
import { type HttpExchange } from '../http/http-exchange.js';

interface RestError {
  readonly httpStatus: number;
  /** Name of the google.rpc code. */
  readonly status: string;
}

/** A2A §5.4 and §11.6. */
export const REST_ERRORS: Readonly<Record<A2aErrorReason, RestError>> = {
  TASK_NOT_FOUND: { httpStatus: 404, status: 'NOT_FOUND' },
  TASK_NOT_CANCELABLE: { httpStatus: 400, status: 'FAILED_PRECONDITION' },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { httpStatus: 400, status: 'FAILED_PRECONDITION' },
  UNSUPPORTED_OPERATION: { httpStatus: 400, status: 'FAILED_PRECONDITION' },
  CONTENT_TYPE_NOT_SUPPORTED: { httpStatus: 400, status: 'INVALID_ARGUMENT' },
  INVALID_AGENT_RESPONSE: { httpStatus: 500, status: 'INTERNAL' },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: { httpStatus: 400, status: 'FAILED_PRECONDITION' },
  EXTENSION_SUPPORT_REQUIRED: { httpStatus: 400, status: 'FAILED_PRECONDITION' },
  VERSION_NOT_SUPPORTED: { httpStatus: 400, status: 'FAILED_PRECONDITION' },
  PARSE_ERROR: { httpStatus: 400, status: 'INVALID_ARGUMENT' },
  INVALID_REQUEST: { httpStatus: 400, status: 'INVALID_ARGUMENT' },
  METHOD_NOT_FOUND: { httpStatus: 501, status: 'UNIMPLEMENTED' },
  INVALID_PARAMS: { httpStatus: 400, status: 'INVALID_ARGUMENT' },
  UNAUTHENTICATED: { httpStatus: 401, status: 'UNAUTHENTICATED' },
  PERMISSION_DENIED: { httpStatus: 403, status: 'PERMISSION_DENIED' },
  ROUTE_NOT_FOUND: { httpStatus: 404, status: 'NOT_FOUND' },
  METHOD_NOT_ALLOWED: { httpStatus: 405, status: 'UNIMPLEMENTED' },
  UNSUPPORTED_MEDIA_TYPE: { httpStatus: 415, status: 'INVALID_ARGUMENT' },
  PAYLOAD_TOO_LARGE: { httpStatus: 413, status: 'INVALID_ARGUMENT' },
  RATE_LIMITED: { httpStatus: 429, status: 'RESOURCE_EXHAUSTED' },
  REQUEST_TIMEOUT: { httpStatus: 408, status: 'DEADLINE_EXCEEDED' },
  UNAVAILABLE: { httpStatus: 503, status: 'UNAVAILABLE' },
  INTERNAL: { httpStatus: 500, status: 'INTERNAL' },
};

/** google.rpc.Status under `error`, as an answer or as the last frame of a stream. */
export function formatRestError(error: A2aError): string {
  const { httpStatus: code, status } = REST_ERRORS[error.reason];
  return JSON.stringify({ error: { code, status, message: error.message, details: errorDetails(error) } });
}

/** Answers with the status of the reason and a google.rpc.Status as the body (A2A §11.6). */
export function writeRestError(exchange: HttpExchange, error: A2aError): void {
  const headers = { ...answerHeaders('application/a2a+json'), ...errorHeaders(error) };
  exchange.send(REST_ERRORS[error.reason].httpStatus, headers, formatRestError(error));
}
