import { type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { flattenedVerify, importJWK, type JWK } from 'jose';
import { Clock, knownMembersOf, OutboundHttp, SystemClock } from '@a2a/a2a-core';
import { BoundedMap } from '../tokens/bounded-map.js';
import { fetchJson } from '../tokens/fetch-json.js';
import { RefreshedDocument } from '../tokens/refreshed-document.js';
import { cardPayload } from './card-payload.js';
import { type CardAlgorithm } from './card-signing-keys.js';
import { readSignature, type SignatureHeader } from './card-signature.js';

/** Whose signatures count. Without keys and origins, nobody's. */
export interface CardTrust {
  /** Public keys known beforehand, found by their `kid`. */
  readonly keys?: readonly JWK[];
  /** Origins such as `https://agents.example.com` whose key sets (`jku`) are believed. A valid signature under any other proves nothing. */
  readonly jkuOrigins?: readonly string[];
  /** Fetches key sets; needed with `jkuOrigins`. */
  readonly http?: OutboundHttp;
  readonly clock?: Clock;
  /** Default: ES256, ES384, RS256, PS256, EdDSA. */
  readonly algorithms?: readonly CardAlgorithm[];
  /** What to do with members this version does not know: they are covered by the signature, or cut off and not part of the result. Default `covered`. */
  readonly unknownMembers?: 'covered' | 'cut';
}

/** A card somebody trusted has signed. */
export interface VerifiedCard {
  /** Exactly what the signature covers, beside its signatures. Use this, not what was received. */
  readonly card: JsonObject;
  readonly kid: string;
  readonly alg: string;
  readonly jku?: string;
}

/** No signature of the card holds. */
export class CardSignatureError extends Error {
  constructor(readonly reasons: readonly string[]) {
    super(`No signature of the card holds: ${reasons.join('; ')}`);
    this.name = 'CardSignatureError';
  }
}

const DEFAULT_ALGORITHMS: readonly string[] = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'];
const MAX_SIGNATURES = 5;
const MAX_KEY_SETS = 100;

/**
 * Verifies the cards of other agents (A2A §8.4.3). One good signature of a trusted key is enough.
 *
 * - Keys come from `trust` alone. Key material in a header is refused, and the unprotected header is not read at all.
 * - Expired and revoked keys do not count, wherever they come from (`exp`, `nbf`, `revoked` of the JWK).
 * - At most five signatures are tried.
 */
export class AgentCardVerifier {
  readonly #keySets = new BoundedMap<string, RefreshedDocument<readonly JWK[]>>(MAX_KEY_SETS);
  readonly #clock: Clock;

  constructor(private readonly trust: CardTrust) {
    this.#clock = trust.clock ?? new SystemClock();
  }

  /**
   * @param card as received, parsed and otherwise unchanged
   * @throws {CardSignatureError}
   */
  async verify(card: JsonObject): Promise<VerifiedCard> {
    const { signatures } = card;
    if (!Array.isArray(signatures) || signatures.length === 0) throw new CardSignatureError(['it has none']);
    const covered = this.trust.unknownMembers === 'cut' ? knownMembersOf(card) : card;
    const reasons: string[] = [];
    for (const signature of signatures.slice(0, MAX_SIGNATURES)) {
      try {
        return await this.verifyOne(covered, signature);
      } catch (error) {
        reasons.push(error instanceof Error ? error.message : 'not readable');
      }
    }
    throw new CardSignatureError(reasons);
  }

  private async verifyOne(card: JsonObject, entry: JsonValue): Promise<VerifiedCard> {
    const { header, jws } = readSignature(entry);
    const { alg, kid, jku } = header;
    if (!(this.trust.algorithms ?? DEFAULT_ALGORITHMS).includes(alg)) throw new Error(`the algorithm ${alg} is not allowed`);
    const jwk = await this.findKey(header);
    const payload = Buffer.from(cardPayload(card)).toString('base64url');
    await flattenedVerify({ ...jws, payload }, await importJWK(jwk, alg), { algorithms: [alg] });
    return { card, kid, alg, jku };
  }

  private async findKey({ alg, kid, jku }: SignatureHeader): Promise<JWK> {
    const pinned = this.trust.keys?.find((key) => key.kid === kid);
    const key = pinned ?? (await this.fetchKey(kid, jku));
    if (key.kty === 'oct') throw new Error('a symmetric key proves nothing');
    if (key.alg !== undefined && key.alg !== alg) throw new Error(`the key is for ${key.alg}, not for ${alg}`);
    this.checkValidity(key);
    return key;
  }

  private async fetchKey(kid: string, jku: string | undefined): Promise<JWK> {
    const { http, jkuOrigins = [] } = this.trust;
    if (jku === undefined || !http || !isAllowed(jku, jkuOrigins)) throw new Error(`the key ${kid} is not trusted`);
    const document = this.#keySets.get(jku) ?? new RefreshedDocument(jku, async () => toKeys(await fetchJson(http, jku)), this.#clock);
    this.#keySets.set(jku, document);
    const byId = (keys: readonly JWK[]): JWK | undefined => keys.find((key) => key.kid === kid);
    const key = byId(await document.current()) ?? byId(await document.afterRefresh());
    if (!key) throw new Error(`the key ${kid} is not in ${jku}`);
    return key;
  }

  private checkValidity(key: JWK): void {
    const now = this.#clock.now() / 1_000;
    const { exp, nbf, revoked } = key as { exp?: unknown; nbf?: unknown; revoked?: unknown };
    if (revoked !== undefined && revoked !== false) throw new Error('the key is revoked');
    if (typeof exp === 'number' && exp <= now) throw new Error('the key has expired');
    if (typeof nbf === 'number' && nbf > now) throw new Error('the key is not good yet');
  }
}

/** TLS, and an origin that was named. Not a prefix of the text: `https://example.com.evil` begins like a friend. */
function isAllowed(jku: string, origins: readonly string[]): boolean {
  if (!URL.canParse(jku)) return false;
  const { protocol, origin, username, password } = new URL(jku);
  return protocol === 'https:' && username === '' && password === '' && origins.includes(origin);
}

function toKeys({ keys }: Record<string, unknown>): readonly JWK[] {
  if (!Array.isArray(keys) || keys.length > 100) throw new Error('not a key set');
  return keys.filter((key): key is JWK => typeof key === 'object' && key !== null);
}
