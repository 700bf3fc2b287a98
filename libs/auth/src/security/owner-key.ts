import { createHash } from 'node:crypto';
import { type VerifiedIdentity } from './outcome.js';

/** As much of an identity as decides what it owns. */
export type OwningIdentity = Pick<VerifiedIdentity, 'realm' | 'issuer' | 'subject' | 'clientId' | 'ownedByClient'>;

/**
 * The key everything a caller makes is stored under.
 *
 * - One identity has one key, for ever: no scheme name, no token, no display name goes into it.
 * - Two identities never share one: the parts are framed as JSON, so no choice of issuer and subject imitates another pair.
 * - No reserved word can be reached: keys of callers begin with `u_`, those of anonymous callers with `anon_`.
 */
export function ownerKey({ realm, issuer, subject, clientId, ownedByClient }: OwningIdentity): string {
  const parts = ownedByClient ? [realm, issuer, subject, clientId ?? ''] : [realm, issuer, subject];
  return `u_${digest(parts)}`;
}

/** @param secret what tells this anonymous caller from others; only its digest is kept */
export function anonymousOwnerKey(kind: 'session' | 'connection', secret: string): string {
  return `anon_${digest([kind, secret])}`;
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
