import { randomUUID } from 'node:crypto';
import { ANONYMOUS, type CallSeed, type Principal } from '@a2a/a2a-core';
import { anonymousOwnerKey } from './owner-key.js';

/** Header or metadata entry with a secret of the caller's own making; calls with the same secret have the same owner. */
export const ANONYMOUS_SESSION = 'a2a-anonymous-session';

/** Sixteen random bytes in base64url, the least that cannot be guessed. */
const SECRET_FORM = /^[A-Za-z0-9._~+/=-]{22,256}$/;

/**
 * A caller without credentials.
 *
 * `own`: it owns what it made and nothing else. It proves that it is the same caller by a session secret it chose, or else by still
 * being on the same connection, where that is its own; a caller that offers neither is a new one each time. Behind a proxy many callers share a
 * connection.
 *
 * `shared`: all of them are one owner, for demonstrations.
 */
export function anonymousCaller(seed: CallSeed, ownership: 'own' | 'shared'): Principal {
  if (ownership === 'shared') return Object.freeze({ ...ANONYMOUS });
  return Object.freeze({ ...ANONYMOUS, owner: ownOwner(seed) });
}

function ownOwner(seed: CallSeed): string {
  const session = seed.headers.get(ANONYMOUS_SESSION);
  if (session !== undefined && SECRET_FORM.test(session)) return anonymousOwnerKey('session', session);
  return anonymousOwnerKey('connection', seed.connectionId ?? randomUUID());
}
