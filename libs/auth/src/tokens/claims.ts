import { CredentialsRefused, type VerifiedIdentity } from '../security/outcome.js';

export type Claims = Readonly<Record<string, unknown>>;

/** Where a list of words stands: a claim, a path of members, or a function. */
export type ClaimSource = string | readonly string[] | ((claims: Claims) => readonly string[]);

/** How an issuer's claims are read. */
export interface ClaimMapping {
  /** Default `scope`, and `scp` where there is none. A string is split at spaces. */
  readonly scopes?: ClaimSource;
  /** Tenants the caller belongs to. Default: none. */
  readonly tenants?: ClaimSource;
  /** Claim with a name for people and logs. Default `sub`. */
  readonly displayName?: string;
  /** What a subject makes through one client is not seen through another. Default false. */
  readonly ownedByClient?: boolean;
}

/**
 * The caller a token speaks of. What is common to access tokens (RFC 9068) and introspection answers (RFC 7662).
 *
 * @throws {CredentialsRefused} `invalid` without a subject, or for a binding this host cannot check
 */
export function toIdentity(claims: Claims, issuer: string, mapping: ClaimMapping): VerifiedIdentity {
  const subject = claims['sub'];
  if (typeof subject !== 'string' || subject === '') throw CredentialsRefused.invalid('the token names no subject');
  const displayName = claims[mapping.displayName ?? 'sub'];
  return {
    realm: 'token',
    issuer,
    subject,
    clientId: firstString(claims['client_id'], claims['azp']),
    ownedByClient: mapping.ownedByClient,
    displayName: typeof displayName === 'string' ? displayName : undefined,
    scopes: readWords(claims, mapping.scopes ?? (claims['scope'] === undefined ? 'scp' : 'scope')),
    tenants: mapping.tenants ? readWords(claims, mapping.tenants) : undefined,
    audiences: readAudiences(claims['aud']),
    expiresAtMs: typeof claims['exp'] === 'number' ? claims['exp'] * 1_000 : undefined,
    boundToCertificate: readBinding(claims['cnf']),
    claims,
  };
}

function readWords(claims: Claims, source: ClaimSource): readonly string[] {
  if (typeof source === 'function') return source(claims);
  const path = typeof source === 'string' ? [source] : source;
  const value = path.reduce<unknown>((holder, name) => memberOf(holder, name), claims);
  if (typeof value === 'string') return value.split(' ').filter((word) => word !== '');
  return Array.isArray(value) ? value.filter((word): word is string => typeof word === 'string') : [];
}

/** A member of the object's own, so that no claim is read off a prototype. */
function memberOf(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name) ? (holder as Claims)[name] : undefined;
}

function readAudiences(value: unknown): readonly string[] {
  return [value].flat().filter((audience): audience is string => typeof audience === 'string');
}

/** Proof of possession by TLS certificate is checked; a token bound in another way would be a bearer token by mistake. */
function readBinding(confirmation: unknown): string | undefined {
  if (confirmation === undefined) return undefined;
  const thumbprint = memberOf(confirmation, 'x5t#S256');
  if (typeof thumbprint !== 'string') throw CredentialsRefused.invalid('the token is bound in a way this host cannot check');
  return thumbprint;
}

function firstString(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}
