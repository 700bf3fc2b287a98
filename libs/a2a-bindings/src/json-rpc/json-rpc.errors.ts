import { type A2aError, type A2aErrorReason } from '@a2a/a2a-core';
import { errorDetails } from '../error-details.js';
import { answerHeaders } from '../http/answer-headers.js';
import { errorHeaders } from '../http/error-headers.js';
import { type HttpExchange } from '../http/http-exchange.js';

interface JsonRpcError {
  readonly code: number;
  /** 200, unless the error is about the HTTP request itself. */
  readonly httpStatus: number;
}

/** A2A §5.4 and §9.5; −31401 and −31403 lie outside the protocol's range on purpose, since it names no codes for them. */
export const JSON_RPC_ERRORS: Readonly<Record<A2aErrorReason, JsonRpcError>> = {
  TASK_NOT_FOUND: { code: -32001, httpStatus: 200 },
  TASK_NOT_CANCELABLE: { code: -32002, httpStatus: 200 },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { code: -32003, httpStatus: 200 },
  UNSUPPORTED_OPERATION: { code: -32004, httpStatus: 200 },
  CONTENT_TYPE_NOT_SUPPORTED: { code: -32005, httpStatus: 200 },
  INVALID_AGENT_RESPONSE: { code: -32006, httpStatus: 200 },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: { code: -32007, httpStatus: 200 },
  EXTENSION_SUPPORT_REQUIRED: { code: -32008, httpStatus: 200 },
  VERSION_NOT_SUPPORTED: { code: -32009, httpStatus: 200 },
  PARSE_ERROR: { code: -32700, httpStatus: 200 },
  INVALID_REQUEST: { code: -32600, httpStatus: 200 },
  METHOD_NOT_FOUND: { code: -32601, httpStatus: 200 },
  INVALID_PARAMS: { code: -32602, httpStatus: 200 },
  UNAUTHENTICATED: { code: -31401, httpStatus: 401 },
  PERMISSION_DENIED: { code: -31403, httpStatus: 403 },
  ROUTE_NOT_FOUND: { code: -32600, httpStatus: 404 },
  METHOD_NOT_ALLOWED: { code: -32600, httpStatus: 405 },
  UNSUPPORTED_MEDIA_TYPE: { code: -32600, httpStatus: 415 },
  PAYLOAD_TOO_LARGE: { code: -32600, httpStatus: 413 },
  RATE_LIMITED: { code: -32603, httpStatus: 429 },
  REQUEST_TIMEOUT: { code: -32600, httpStatus: 408 },
  UNAVAILABLE: { code: -32603, httpStatus: 503 },
  INTERNAL: { code: -32603, httpStatus: 200 },
};

/** One error response; `id` is JSON text. What could not be parsed has no id (JSON-RPC 2.0 §5). */
export function formatJsonRpcError(rpcId: string, error: A2aError): string {
  const { code } = JSON_RPC_ERRORS[error.reason];
  const id = error.reason === 'PARSE_ERROR' ? 'null' : rpcId;
  const body = JSON.stringify({ code, message: error.message, data: errorDetails(error) });
  return `{"jsonrpc":"2.0","id":${id},"error":${body}}`;
}

/** Answers with an error response (A2A §9.5), HTTP 200 unless the reason is about transport, such as credentials or a rate. */
export function writeJsonRpcError(exchange: HttpExchange, error: A2aError): void {
  const headers = { ...answerHeaders('application/json'), ...errorHeaders(error) };
  exchange.send(httpStatus(exchange, error), headers, formatJsonRpcError(exchange.rpcId, error));
}

/** What is wrong before the body was looked at is wrong with the HTTP request, not with the JSON-RPC one. */
function httpStatus({ bodyRead }: HttpExchange, { reason }: A2aError): number {
  return reason === 'INVALID_REQUEST' && !bodyRead ? 400 : JSON_RPC_ERRORS[reason].httpStatus;
}
