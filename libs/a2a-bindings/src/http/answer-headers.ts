import { type OutgoingHttpHeaders } from 'node:http';
import { EXTENSIONS_PARAM, formatExtensions, type Operation } from '@a2a/a2a-core';

/** Nothing but a public card may be kept by anybody on the way, nor be taken for another type. */
const PRIVATE = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** The extended card is another one for every caller, even for a cache that does not know what `no-store` means (A2A §13.3, XCARD-04). */
const FOR_ITS_CALLER = { 'cache-control': 'private, no-store', vary: 'Authorization, Origin' } as const;

/** Header fields of the answer to an operation. */
export function resultHeaders({ name }: Operation, contentType: string, activatedExtensions: readonly string[]): OutgoingHttpHeaders {
  return { ...answerHeaders(contentType, activatedExtensions), ...(name === 'GetExtendedAgentCard' ? FOR_ITS_CALLER : undefined) };
}

/** Header fields of every answer that is not a public card. */
export function answerHeaders(contentType: string, activatedExtensions: readonly string[] = []): OutgoingHttpHeaders {
  return { 'content-type': contentType, ...PRIVATE, ...extensionsHeader(activatedExtensions) };
}

/** Says which extensions are in force (A2A §3.2.6); nothing when there are none. */
export function extensionsHeader(activatedExtensions: readonly string[]): OutgoingHttpHeaders | undefined {
  const value = formatExtensions(activatedExtensions);
  return value === undefined ? undefined : { [EXTENSIONS_PARAM]: value };
}
