import { type Principal } from '@a2a/a2a-core';
import { type VerifiedIdentity } from './outcome.js';
import { ownerKey } from './owner-key.js';

/**
 * One caller out of the schemes of the alternative that opened the agent.
 *
 * The first names the caller and owns what it makes. Scopes are those of all of them together; tenants only those every scheme that
 * speaks of tenants agrees on; it ends with the first that ends.
 *
 * @param identities at least one
 */
export function toPrincipal(
  identities: readonly [VerifiedIdentity, ...VerifiedIdentity[]],
  grants: ReadonlyMap<string, ReadonlySet<string>>,
): Principal {
  const [caller] = identities;
  const ends = identities.flatMap(({ expiresAtMs }) => (expiresAtMs === undefined ? [] : [expiresAtMs]));
  return Object.freeze({
    owner: ownerKey(caller),
    authenticated: true,
    displayName: caller.displayName ?? caller.subject,
    scopes: new Set(identities.flatMap(({ scopes }) => scopes)),
    tenants: commonTenants(identities),
    expiresAtMs: ends.length > 0 ? Math.min(...ends) : undefined,
    issuer: caller.issuer,
    subject: caller.subject,
    clientId: caller.clientId,
    claims: caller.claims,
    grants,
  });
}

function commonTenants(identities: readonly VerifiedIdentity[]): ReadonlySet<string> {
  const [first = [], ...others] = identities.flatMap(({ tenants }) => (tenants ? [tenants] : []));
  return new Set(first.filter((tenant) => others.every((tenants) => tenants.includes(tenant))));
}
