import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { type Clock, type OutboundHttp } from '@a2a/a2a-core';
import { type WebhookKeySource } from './a2a-webhook.options.js';

const FRESH_MS = 600_000;
const ASK_AGAIN_MS = 30_000;
const MAX_KEYS = 16;
const ANSWER = { maxBytes: 65_536, timeoutMs: 5_000 };
/** SubjectPublicKeyInfo of an ed25519 key (RFC 8410 §4), without the key. */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** The public keys of senders. */
export abstract class WebhookKeySet {
  /** @param isNewWanted a signature fitted none of the keys: ask for newer ones, if that may help */
  abstract keys(isNewWanted: boolean): Promise<readonly KeyObject[]>;
}

export class PinnedWebhookKeys extends WebhookKeySet {
  readonly #keys: readonly KeyObject[];

  /** @throws {Error} for what is no ed25519 key */
  constructor(pinned: readonly (JsonWebKey | string)[]) {
    super();
    this.#keys = pinned.map(parseKey);
  }

  async keys(): Promise<readonly KeyObject[]> {
    return this.#keys;
  }
}

/**
 * Keys that a host publishes. They are fetched when first needed, kept for ten minutes, and asked for anew when a signature fits none of
 * them, at most twice a minute, so that forged signatures cause no flood.
 */
export class PublishedWebhookKeys extends WebhookKeySet {
  #keys: readonly KeyObject[] = [];
  #askedAtMs = -Infinity;
  #asking?: Promise<void>;

  constructor(
    private readonly url: string,
    private readonly http: OutboundHttp,
    private readonly clock: Clock,
  ) {
    super();
  }

  async keys(isNewWanted: boolean): Promise<readonly KeyObject[]> {
    const ageMs = this.clock.now() - this.#askedAtMs;
    if (ageMs > FRESH_MS || (ageMs > ASK_AGAIN_MS && (isNewWanted || this.#keys.length === 0))) {
      await (this.#asking ??= this.#ask().finally(() => (this.#asking = undefined)));
    }
    return this.#keys;
  }

  /** Keys that are known stay when their host does not answer. */
  async #ask(): Promise<void> {
    this.#askedAtMs = this.clock.now();
    try {
      const { status, body } = await this.http.get(this.url, { ...ANSWER, headers: { accept: 'application/json' } });
      const { keys = [] } = status === 200 ? (JSON.parse(Buffer.from(body).toString()) as { keys?: JsonWebKey[] }) : {};
      const known = keys.filter(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519').slice(0, MAX_KEYS);
      if (known.length > 0) this.#keys = known.map(parseKey);
    } catch (error) {
      if (this.#keys.length === 0) throw error;
    }
  }
}

export function keySetOf(source: WebhookKeySource, http: OutboundHttp | undefined, clock: Clock): WebhookKeySet {
  if ('pinned' in source) return new PinnedWebhookKeys(source.pinned);
  if (!http) throw new Error('A2aWebhookModule: keys.jwksUrl needs OutboundHttp; import OutboundModule of @a2a/outbound, or pin the keys');
  return new PublishedWebhookKeys(source.jwksUrl, http, clock);
}

function parseKey(key: JsonWebKey | string): KeyObject {
  if (typeof key !== 'string') return createPublicKey({ key, format: 'jwk' });
  const raw = Buffer.from(key.replace(/^whpk_/, ''), 'base64');
  if (raw.length !== 32) throw new Error('A2aWebhookModule: a pinned key is whpk_ and the base64 of 32 bytes, or a JWK');
  return createPublicKey({ key: Buffer.concat([ED25519_SPKI, raw]), format: 'der', type: 'spki' });
}
