import { createHash, randomBytes } from 'node:crypto';

/** What is kept of an API key. The key itself is shown once, when it is made, and never stored. */
export interface ApiKey {
  /** SHA-256 of the key, hexadecimal, lower case: what `hashApiKey` returns. */
  readonly sha256: string;
  /** Who holds the key. Two keys of one subject have one owner, which is how a key is replaced without losing tasks. */
  readonly subject: string;
  readonly displayName?: string;
  /** Default: none. */
  readonly scopes?: readonly string[];
  /** Tenants the holder belongs to. Default: none. */
  readonly tenants?: readonly string[];
  /** Unix epoch, milliseconds. Default: never. */
  readonly expiresAtMs?: number;
}

/** Where API keys are looked up. A team with a table of keys provides its own. */
export abstract class ApiKeyStore {
  /**
   * @param sha256 as in `ApiKey`
   * @throws anything when the store cannot tell; the caller is told to come back later
   */
  abstract find(sha256: string): Promise<ApiKey | undefined>;
}

/** Keys from configuration. */
export class ListedApiKeys extends ApiKeyStore {
  readonly #keys: ReadonlyMap<string, ApiKey>;

  /** @throws {Error} for a digest that is none, so that a key in clear text never works by accident */
  constructor(keys: readonly ApiKey[]) {
    super();
    for (const { sha256, subject } of keys) {
      if (!/^[0-9a-f]{64}$/.test(sha256))
        throw new Error(`The key of "${subject}" needs its SHA-256 in lower-case hexadecimal; see hashApiKey()`);
    }
    this.#keys = new Map(keys.map((key) => [key.sha256, key]));
  }

  async find(sha256: string): Promise<ApiKey | undefined> {
    return this.#keys.get(sha256);
  }
}

export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** A new key of 256 random bits. The prefix lets secret scanners find keys that were published by mistake. */
export function generateApiKey(): string {
  return `a2ak_${randomBytes(32).toString('base64url')}`;
}
