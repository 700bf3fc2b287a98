import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import { type JWK } from 'jose';
import { type Issuer, nowSeconds, type TokenClaims } from '../support/issuer.js';

type Json = Readonly<Record<string, unknown>>;

/** One token nobody should be let in with, and the row of the attack table it belongs to. */
export interface ForgedToken {
  readonly name: string;
  make(issuer: Issuer, claims: TokenClaims): Promise<string>;
}

const signed =
  (claims: (now: number) => Json, header: Json = {}): ForgedToken['make'] =>
  (issuer, given) =>
    issuer.token({ ...given, ...claims(nowSeconds()) }, header);

/** Tokens that look right but for one thing. */
export const FORGED_TOKENS: readonly ForgedToken[] = [
  { name: 'without a signature, "none" [A2]', make: unsigned('none') },
  { name: 'without a signature, "NoNe" [A2]', make: unsigned('NoNe') },
  { name: 'with the signature cut off [A2]', make: async (...given) => (await signed(() => ({}))(...given)).replace(/[^.]*$/, '') },
  { name: 'signed with the public key as a secret, as PEM [A3]', make: confused((key) => pemOf(key)) },
  { name: 'signed with the public key as a secret, as JSON [A3]', make: confused(async (key) => JSON.stringify(key)) },
  { name: 'that has expired [A4] [A5]', make: signed((now) => ({ exp: now - 61 })) },
  { name: 'that is not good yet [A4]', make: signed((now) => ({ nbf: now + 61 })) },
  { name: 'from the future [A4]', make: signed((now) => ({ iat: now + 61, exp: now + 120 })) },
  { name: 'that never expires [A4]', make: signed(() => ({ exp: undefined })) },
  { name: 'whose end is text [A4]', make: signed((now) => ({ exp: String(now + 300) })) },
  { name: 'that lives for years [A4]', make: signed((now) => ({ exp: now + 100_000_000 })) },
  { name: 'without a subject [B17]', make: signed(() => ({ sub: undefined })) },
  { name: 'for another agent of this host [A6]', make: signed(() => ({ aud: 'urn:agent:billing' })) },
  { name: 'for nobody in particular [A6]', make: signed(() => ({ aud: undefined })) },
  { name: 'of another issuer [A7]', make: signed(() => ({ iss: 'https://issuer.example' })) },
  { name: 'of an issuer that begins like ours [A7]', make: (issuer, claims) => issuer.token({ ...claims, iss: `${issuer.url}.evil.com` }) },
  { name: 'that is an ID token [A8]', make: signed(() => ({}), { typ: 'JWT' }) },
  { name: 'of no type [A8]', make: signed(() => ({}), { typ: undefined }) },
  { name: 'whose key id is a path [A9]', make: signed(() => ({}), { kid: '../../../../dev/null' }) },
  { name: 'whose key id is SQL [A9]', make: signed(() => ({}), { kid: "' OR 1=1 --" }) },
  { name: 'whose key id is an address [A9]', make: (issuer, claims) => issuer.token(claims, { kid: `${issuer.url}/planted` }) },
  { name: 'with the address of a key set [A10]', make: (issuer, claims) => issuer.token(claims, { jku: `${issuer.url}/planted` }) },
  { name: 'with the address of a certificate [A10]', make: (issuer, claims) => issuer.token(claims, { x5u: `${issuer.url}/planted` }) },
  { name: 'with a key of its own [A10]', make: (issuer, claims) => issuer.token(claims, { jwk: issuer.provider.keys[0]?.publicJwk }) },
  { name: 'with a certificate of its own [A10]', make: signed(() => ({}), { x5c: ['MIIB'] }) },
  { name: 'with a critical header [A11]', make: critical },
  { name: 'of more than 8 KiB [A17]', make: signed(() => ({ padding: 'x'.repeat(7_000) })) },
  { name: 'bound to a certificate that was not shown [A20]', make: signed(() => ({ cnf: { 'x5t#S256': 'A'.repeat(43) } })) },
  { name: 'bound in a way nobody here can check [A20]', make: signed(() => ({ cnf: { jkt: 'A'.repeat(43) } })) },
];

function encode(value: Json): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function payloadOf(issuer: Issuer, claims: TokenClaims): string {
  const now = nowSeconds();
  return encode({ iss: issuer.url, sub: 'alice', client_id: 'cli', iat: now, exp: now + 300, ...claims });
}

function unsigned(alg: string): ForgedToken['make'] {
  return async (issuer, claims) => `${encode({ alg, typ: 'at+jwt' })}.${payloadOf(issuer, claims)}.`;
}

function confused(secretOf: (key: JWK) => Promise<string>): ForgedToken['make'] {
  return async (issuer, claims) => {
    const [key] = issuer.provider.keys;
    if (!key) throw new Error('The issuer has no key');
    const input = `${encode({ alg: 'HS256', kid: key.kid, typ: 'at+jwt' })}.${payloadOf(issuer, claims)}`;
    return `${input}.${createHmac('sha256', await secretOf(key.publicJwk))
      .update(input)
      .digest('base64url')}`;
  };
}

async function pemOf(key: JWK): Promise<string> {
  return createPublicKey({ key: key as JsonWebKey, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();
}

/** jose refuses to sign what a verifier has to refuse, so the header is changed afterwards; the signature is wrong as well, as anybody's is. */
async function critical(issuer: Issuer, claims: TokenClaims): Promise<string> {
  const [header = '', ...rest] = (await issuer.token(claims)).split('.');
  const known = JSON.parse(Buffer.from(header, 'base64url').toString()) as Json;
  return [encode({ ...known, crit: ['urn:unknown'], 'urn:unknown': true }), ...rest].join('.');
}
