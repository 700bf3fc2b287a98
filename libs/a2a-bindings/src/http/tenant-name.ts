import { RESERVED_NAMES } from '@a2a/a2a-core';

const FORM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** A path segment that may name a tenant: no traversal, no control characters, no word of the protocol's own paths. */
export function isTenantName(segment: string): boolean {
  return FORM.test(segment) && !RESERVED_NAMES.has(segment);
}
