import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { type CardForm } from './card-payload.js';

/** Where a private key comes from: a PKCS#8 PEM or a JWK, in a file, an environment variable, or at hand. */
export type KeySource = { readonly file: string } | { readonly env: string } | { readonly jwk: JWK };

export interface CardKeyOptions {
  readonly source: KeySource;
  /** Default: the key's RFC 7638 thumbprint. */
  readonly kid?: string;
  /** Default: ES256, ES384, RS256 or EdDSA, whichever the key is for. */
  readonly alg?: CardAlgorithm;
  /** Default `a2a`. */
  readonly form?: CardForm;
}

/** Keys of this host for its cards. */
export interface CardSigningOptions {
  /** Each makes one signature. While a key is being replaced, the old one and the new one both sign. */
  readonly keys: readonly CardKeyOptions[];
  /** Public keys that no longer sign but are still published: cards signed by them may be cached for twice their max-age. */
  readonly retiredKeys?: readonly JWK[];
  /** Where clients find the public keys; named in each signature. Default: not named. */
  readonly jku?: string;
}

export type CardAlgorithm = 'ES256' | 'ES384' | 'RS256' | 'PS256' | 'EdDSA';

export interface CardSigningKey {
  readonly kid: string;
  readonly alg: CardAlgorithm;
  readonly form: CardForm;
  readonly privateKey: KeyObject;
  readonly publicJwk: JWK;
}

/** @throws {Error} naming the source, and nothing of what is in it */
export async function loadSigningKey({ source, kid, alg, form = 'a2a' }: CardKeyOptions): Promise<CardSigningKey> {
  const privateKey = toPrivateKey(await readSource(source), nameOf(source));
  const publicKey = createPublicKey(privateKey).export({ format: 'jwk' }) as JWK;
  const id = kid ?? (await calculateJwkThumbprint(publicKey));
  const algorithm = alg ?? defaultAlgorithm(privateKey, nameOf(source));
  return { kid: id, alg: algorithm, form, privateKey, publicJwk: { ...publicKey, kid: id, alg: algorithm, use: 'sig' } };
}

async function readSource(source: KeySource): Promise<string | JWK> {
  if ('jwk' in source) return source.jwk;
  if ('file' in source) return readFile(source.file, 'utf8');
  const value = process.env[source.env];
  if (!value) throw new Error(`The card signing key is to come from ${nameOf(source)}, which is not set`);
  return value;
}

function toPrivateKey(material: string | JWK, name: string): KeyObject {
  try {
    if (typeof material !== 'string') return createPrivateKey({ key: { ...material }, format: 'jwk' });
    const text = material.trim();
    return text.startsWith('{') ? createPrivateKey({ key: JSON.parse(text), format: 'jwk' }) : createPrivateKey(text);
  } catch {
    throw new Error(`The card signing key from ${name} is neither a private PKCS#8 PEM nor a private JWK`);
  }
}

function defaultAlgorithm({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject, name: string): CardAlgorithm {
  if (asymmetricKeyType === 'ed25519') return 'EdDSA';
  if (asymmetricKeyType === 'rsa') return 'RS256';
  if (asymmetricKeyDetails?.namedCurve === 'prime256v1') return 'ES256';
  if (asymmetricKeyDetails?.namedCurve === 'secp384r1') return 'ES384';
  throw new Error(`The card signing key from ${name} is of a kind that cards are not signed with; take P-256, P-384, Ed25519 or RSA`);
}

function nameOf(source: KeySource): string {
  if ('file' in source) return `the file ${source.file}`;
  return 'env' in source ? `the environment variable ${source.env}` : 'the configuration';
}
