import { type JsonObject } from '@bufbuild/protobuf';
import { A2A_ERROR_DOMAIN, A2A_PROTOCOL_REASONS, type A2aError, type A2aErrorReason } from '@a2a/a2a-core';

/** Domain of reasons that are not errors of the protocol itself. */
const PLATFORM_DOMAIN = 'a2a-nest';

/** The `domain` of google.rpc.ErrorInfo that goes with a reason (A2A §10.6, §11.6). */
export function errorDomain(reason: A2aErrorReason): string {
  return A2A_PROTOCOL_REASONS.has(reason) ? A2A_ERROR_DOMAIN : PLATFORM_DOMAIN;
}

/** What goes into `details` or `data`: google.rpc messages as JSON, ErrorInfo first (A2A §3.3.2, §9.5, §11.6). */
export function errorDetails({ reason, details }: A2aError): JsonObject[] {
  const all: JsonObject[] = [
    typed('ErrorInfo', { reason, domain: errorDomain(reason), metadata: details.metadata && { ...details.metadata } }),
  ];
  if (details.fieldViolations?.length) {
    all.push(typed('BadRequest', { fieldViolations: details.fieldViolations.map(({ field, description }) => ({ field, description })) }));
  }
  if (details.retryAfterSeconds !== undefined) all.push(typed('RetryInfo', { retryDelay: `${details.retryAfterSeconds}s` }));
  return all;
}

function typed(name: string, members: Record<string, JsonObject[string] | undefined>): JsonObject {
  return { '@type': `type.googleapis.com/google.rpc.${name}`, ...(members as JsonObject) };
}
