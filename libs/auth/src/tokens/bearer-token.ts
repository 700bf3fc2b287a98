import { type AuthRequest } from '../security/auth-request.js';
import { type Carrier, valueIn } from '../security/carrier.js';
import { CredentialsRefused } from '../security/outcome.js';

export const BEARER: Carrier = { in: 'authorization', scheme: 'bearer' };

/** Longest token that is looked at; the check comes before any decoding. */
const MAX_TOKEN_BYTES = 8_192;
/** `b64token` of RFC 6750 §2.1. */
const TOKEN_FORM = /^[A-Za-z0-9._~+/-]+=*$/;

/** @throws {CredentialsRefused} `invalid` beyond 8 KiB, `malformed` for what cannot be a token */
export function readBearerToken(request: AuthRequest): string {
  const token = valueIn(BEARER, request) ?? '';
  if (token.length > MAX_TOKEN_BYTES) throw CredentialsRefused.invalid('the token is too long');
  if (!TOKEN_FORM.test(token)) throw CredentialsRefused.malformed('the bearer token has the wrong form');
  return token;
}
