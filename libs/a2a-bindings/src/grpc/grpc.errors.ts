import { create, type DescMessage, toBinary } from '@bufbuild/protobuf';
import { type Any, anyPack, durationFromMs } from '@bufbuild/protobuf/wkt';
import { Metadata, status } from '@grpc/grpc-js';
import {
  type A2aError,
  type A2aErrorReason,
  BadRequestSchema,
  ErrorInfoSchema,
  type FieldViolation,
  RetryInfoSchema,
  StatusSchema,
} from '@a2a/a2a-core';
import { errorDomain } from '../error-details.js';
import { protoFieldPath } from './field-path.js';

/** The status of each error (A2A §5.4). Six of the nine protocol errors share one: clients tell them apart by ErrorInfo.reason. */
export const GRPC_STATUS: Readonly<Record<A2aErrorReason, status>> = {
  TASK_NOT_FOUND: status.NOT_FOUND,
  TASK_NOT_CANCELABLE: status.FAILED_PRECONDITION,
  PUSH_NOTIFICATION_NOT_SUPPORTED: status.FAILED_PRECONDITION,
  UNSUPPORTED_OPERATION: status.FAILED_PRECONDITION,
  CONTENT_TYPE_NOT_SUPPORTED: status.INVALID_ARGUMENT,
  INVALID_AGENT_RESPONSE: status.INTERNAL,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: status.FAILED_PRECONDITION,
  EXTENSION_SUPPORT_REQUIRED: status.FAILED_PRECONDITION,
  VERSION_NOT_SUPPORTED: status.FAILED_PRECONDITION,
  PARSE_ERROR: status.INVALID_ARGUMENT,
  INVALID_REQUEST: status.INVALID_ARGUMENT,
  METHOD_NOT_FOUND: status.UNIMPLEMENTED,
  INVALID_PARAMS: status.INVALID_ARGUMENT,
  UNAUTHENTICATED: status.UNAUTHENTICATED,
  PERMISSION_DENIED: status.PERMISSION_DENIED,
  ROUTE_NOT_FOUND: status.NOT_FOUND,
  METHOD_NOT_ALLOWED: status.UNIMPLEMENTED,
  UNSUPPORTED_MEDIA_TYPE: status.INVALID_ARGUMENT,
  PAYLOAD_TOO_LARGE: status.RESOURCE_EXHAUSTED,
  RATE_LIMITED: status.RESOURCE_EXHAUSTED,
  REQUEST_TIMEOUT: status.DEADLINE_EXCEEDED,
  UNAVAILABLE: status.UNAVAILABLE,
  INTERNAL: status.INTERNAL,
};

/** How a call that failed ends. */
export interface GrpcFailure {
  readonly code: status;
  /** Text for people, `grpc-message`. */
  readonly details: string;
  /** Trailers. */
  readonly metadata: Metadata;
}

/** Where a google.rpc.Status travels (gRPC's rich error model). */
const DETAILS_TRAILER = 'grpc-status-details-bin';

/** Many clients take trailers of 8 KiB; beyond that the whole error would be lost to them. */
const MAX_VIOLATIONS = 16;
const MAX_TEXT = 300;
const MAX_VIOLATION_TEXT = 120;

/** Metadata hold printable ASCII only; grpc-js throws on anything else. */
const NOT_PRINTABLE = /[^ -~]/g;

/**
 * An error as gRPC says it: status, text, and google.rpc.Status with ErrorInfo, BadRequest and RetryInfo in the trailers (A2A §10.6).
 *
 * @param input the request message of the call; field paths are given in its proto names
 */
export function toGrpcFailure(error: A2aError, input?: DescMessage): GrpcFailure {
  const code = GRPC_STATUS[error.reason];
  const violations = (error.details.fieldViolations ?? []).slice(0, MAX_VIOLATIONS).map((violation) => inProtoNames(violation, input));
  const message = textFor(error, violations);
  const metadata = new Metadata();
  const details = create(StatusSchema, { code, message, details: detailsOf(error, violations) });
  metadata.set(DETAILS_TRAILER, Buffer.from(toBinary(StatusSchema, details)));
  for (const challenge of error.details.challenges ?? []) metadata.add('www-authenticate', challenge.replace(NOT_PRINTABLE, ''));
  return { code, details: message, metadata };
}

function detailsOf(error: A2aError, violations: readonly FieldViolation[]): Any[] {
  const { metadata, retryAfterSeconds } = error.details;
  const domain = errorDomain(error.reason);
  const details = [anyPack(ErrorInfoSchema, create(ErrorInfoSchema, { reason: error.reason, domain, metadata: { ...metadata } }))];
  if (violations.length > 0) {
    details.push(
      anyPack(BadRequestSchema, create(BadRequestSchema, { fieldViolations: violations.map((violation) => ({ ...violation })) })),
    );
  }
  if (retryAfterSeconds !== undefined) {
    details.push(anyPack(RetryInfoSchema, create(RetryInfoSchema, { retryDelay: durationFromMs(retryAfterSeconds * 1_000) })));
  }
  return details;
}

function inProtoNames({ field, description }: FieldViolation, input: DescMessage | undefined): FieldViolation {
  return {
    field: shorten(input ? protoFieldPath(input, field) : field, MAX_VIOLATION_TEXT),
    description: shorten(description, MAX_VIOLATION_TEXT),
  };
}

/** The error's own text, with its first field named as the violation names it. */
function textFor(error: A2aError, violations: readonly FieldViolation[]): string {
  const [first] = error.details.fieldViolations ?? [];
  const text = first && violations[0] ? error.message.replace(first.field, violations[0].field) : error.message;
  return shorten(text, MAX_TEXT);
}

/** Never ends in half a character: grpc-js cannot send that. */
function shorten(text: string, length: number): string {
  return Buffer.from(text.slice(0, length)).toString();
}
