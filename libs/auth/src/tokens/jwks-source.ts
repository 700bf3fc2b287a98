import { KeyObject, type webcrypto } from 'node:crypto';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWK, type JWTHeaderParameters } from 'jose';
import { type Clock } from '@a2a/a2a-core';
import { CredentialsRefused } from '../security/outcome.js';
import { type ProviderHttp } from './provider-http.js';
import { DocumentUnavailable, type Freshness, RefreshedDocument } from './refreshed-document.js';

const MAX_KEYS = 100;
const MIN_RSA_BITS = 2_048;

/** The part of a token's header that chooses a key. Nothing else in a token has a say in it. */
export interface KeyChoice {
  readonly alg: string;
  readonly kid?: string;
}

interface KeySet {
  readonly size: number;
  readonly choose: ReturnType<typeof createLocalJWKSet>;
}

/**
 * The public keys of one issuer, from its JWKS.
 *
 * - A key is found by `kid` within the set and has to fit the algorithm; no name in a token is ever a path, a query or an address.
 * - Tokens with unknown keys cost at most one fetch in 30 seconds. A key just published is therefore good after 30 seconds at most.
 * - A key no longer published is dead after 10 minutes at most; while the issuer is down, keys are believed for 24 hours.
 * - At most 256 KiB, 100 keys and 2 seconds. Symmetric keys in a set are not there.
 */
export class JwksSource {
  readonly #document: RefreshedDocument<KeySet>;
  readonly #keyObjects = new WeakMap<webcrypto.CryptoKey, KeyObject>();

  constructor(url: string, http: ProviderHttp, clock: Clock, freshness?: Freshness) {
    this.#document = new RefreshedDocument(url, async () => toKeySet(await http.getJson(url), url), clock, freshness);
  }

  /** @throws {CredentialsRefused} `invalid` for a key the issuer does not have, `unavailable` when nobody can tell */
  async keyFor(choice: KeyChoice): Promise<KeyObject> {
    try {
      return (await this.choose(await this.#document.current(), choice)) ?? (await this.chooseAgain(choice));
    } catch (error) {
      if (error instanceof DocumentUnavailable) throw CredentialsRefused.unavailable('the keys of the issuer cannot be had', error);
      throw error;
    }
  }

  /** Forgets all keys and fetches them once: for a key that must die now. */
  async reload(): Promise<void> {
    await this.#document.reload();
  }

  private async chooseAgain(choice: KeyChoice): Promise<KeyObject> {
    const key = await this.choose(await this.#document.afterRefresh(), choice);
    if (key) return key;
    if (this.#document.isFailing) throw CredentialsRefused.unavailable('the key is unknown and the issuer cannot be asked');
    throw CredentialsRefused.invalid('the issuer has no such key');
  }

  private async choose(keys: KeySet, { alg, kid }: KeyChoice): Promise<KeyObject | undefined> {
    if (kid === undefined && keys.size !== 1) return undefined;
    try {
      const header: JWTHeaderParameters = kid === undefined ? { alg } : { alg, kid };
      return this.toKeyObject(await keys.choose(header));
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return undefined;
      if (error instanceof errors.JOSEError) throw CredentialsRefused.invalid(`no usable key: ${error.code}`);
      throw error;
    }
  }

  private toKeyObject(key: webcrypto.CryptoKey): KeyObject {
    const known = this.#keyObjects.get(key);
    if (known) return known;
    const made = KeyObject.from(key);
    if ((made.asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS) < MIN_RSA_BITS) throw CredentialsRefused.invalid('the key is too short');
    this.#keyObjects.set(key, made);
    return made;
  }
}

function toKeySet(document: Record<string, unknown>, url: string): KeySet {
  const { keys } = document;
  if (!Array.isArray(keys) || keys.length > MAX_KEYS) throw new Error(`${url} is no key set of at most ${MAX_KEYS} keys`);
  const usable = keys.filter(isPublicKey);
  return { size: usable.length, choose: createLocalJWKSet({ keys: usable } satisfies JSONWebKeySet) };
}

/** A published private key is compromised, and a symmetric one would let anybody sign. */
function isPublicKey(key: unknown): key is JWK {
  return typeof key === 'object' && key !== null && 'kty' in key && key.kty !== 'oct' && !('d' in key);
}
