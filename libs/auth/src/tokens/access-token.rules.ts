import { CredentialsRefused } from '../security/outcome.js';
import { type Claims, type ClaimMapping } from './claims.js';
import { type KeyChoice } from './jwks-source.js';

/** Algorithms the platform verifies. All asymmetric: a host that verifies must not be able to sign. */
export type TokenAlgorithm = 'RS256' | 'RS384' | 'RS512' | 'PS256' | 'PS384' | 'PS512' | 'ES256' | 'ES384' | 'ES512';

/** What a JWT access token has to be. */
export interface AccessTokenRules extends ClaimMapping {
  /** Compared to the letter. */
  readonly issuer: string;
  /** Default ES256, RS256, PS256. */
  readonly algorithms?: readonly TokenAlgorithm[];
  /** `typ` of the header, which keeps ID tokens out. Default `at+jwt` (RFC 9068); `false` for issuers that set none. */
  readonly type?: string | false;
  /** How far clocks may differ. Default 10, at most 60. */
  readonly clockToleranceSeconds?: number;
  /** Longest time from `iat` to `exp`. Default 86 400. */
  readonly maxLifetimeSeconds?: number;
}

export const DEFAULT_ALGORITHMS: readonly TokenAlgorithm[] = ['ES256', 'RS256', 'PS256'];
const DEFAULT_TYPE = 'at+jwt';
const DEFAULT_TOLERANCE_SECONDS = 10;
const DEFAULT_LIFETIME_SECONDS = 86_400;
const MAX_KID_LENGTH = 256;

/** Header members with a key or the address of one. A token may not choose who verifies it. */
const KEY_MEMBERS = ['jku', 'jwk', 'x5u', 'x5c'];

/**
 * Judges a token's header before any key is looked for and any signature computed.
 *
 * @throws {CredentialsRefused} `invalid`
 */
export function checkTokenHeader(token: string, rules: AccessTokenRules): KeyChoice {
  const header = readHeader(token);
  const { alg, kid, typ } = header;
  const algorithms: readonly string[] = rules.algorithms ?? DEFAULT_ALGORITHMS;
  if (typeof alg !== 'string' || !algorithms.includes(alg)) throw CredentialsRefused.invalid('the algorithm is not allowed');
  if (KEY_MEMBERS.some((name) => Object.hasOwn(header, name))) throw CredentialsRefused.invalid('the token brings its own key');
  if (Object.hasOwn(header, 'crit')) throw CredentialsRefused.invalid('the token has critical header members');
  checkType(typ, rules.type ?? DEFAULT_TYPE);
  if (kid === undefined) return { alg };
  if (typeof kid !== 'string' || kid.length > MAX_KID_LENGTH) throw CredentialsRefused.invalid('the key id has the wrong form');
  return { alg, kid };
}

/**
 * Judges the claims of a token whose signature holds.
 *
 * @throws {CredentialsRefused} `invalid`
 */
export function checkTokenClaims(claims: Claims, rules: AccessTokenRules, nowSeconds: number): void {
  const { iss, aud, exp, iat, nbf } = claims;
  const tolerance = toleranceSeconds(rules);
  if (iss !== rules.issuer) throw CredentialsRefused.invalid('the token is from another issuer');
  if (!isTime(exp) || exp + tolerance <= nowSeconds) throw CredentialsRefused.invalid('the token has expired, or never would');
  if (!isTime(iat) || iat - tolerance > nowSeconds)
    throw CredentialsRefused.invalid('the token is from the future, or from no time at all');
  if (nbf !== undefined && (!isTime(nbf) || nbf - tolerance > nowSeconds)) throw CredentialsRefused.invalid('the token is not good yet');
  if (exp - iat > (rules.maxLifetimeSeconds ?? DEFAULT_LIFETIME_SECONDS)) throw CredentialsRefused.invalid('the token lives too long');
  if (aud === undefined) throw CredentialsRefused.invalid('the token names no audience');
}

/** How far the issuer's clock and ours may differ. */
export function toleranceSeconds({ clockToleranceSeconds = DEFAULT_TOLERANCE_SECONDS }: AccessTokenRules): number {
  return clockToleranceSeconds;
}

/** A part of the token that is not yet verified; it only chooses the key. */
function readHeader(token: string): Record<string, unknown> {
  const parts = token.split('.');
  const [first = ''] = parts;
  if (parts.length !== 3 || parts.includes('')) throw CredentialsRefused.invalid('the token is no signed JWT');
  try {
    const header: unknown = JSON.parse(Buffer.from(first, 'base64url').toString('utf8'));
    if (typeof header === 'object' && header !== null) return header as Record<string, unknown>;
  } catch {
    // Falls through to the one answer for every header that cannot be read.
  }
  throw CredentialsRefused.invalid('the header of the token cannot be read');
}

/** Media types are compared without case and without `application/` (RFC 7515 §4.1.9). */
function checkType(type: unknown, expected: string | false): void {
  if (expected === false) return;
  const given = typeof type === 'string' ? type.toLowerCase().replace(/^application\//, '') : undefined;
  if (given !== expected.toLowerCase()) throw CredentialsRefused.invalid('the token is of another type');
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
