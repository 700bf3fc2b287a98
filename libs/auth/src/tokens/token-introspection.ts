import { createHash } from 'node:crypto';
import { type Clock } from '@a2a/a2a-core';
import { CredentialsRefused, type VerifiedIdentity } from '../security/outcome.js';
import { BoundedMap } from './bounded-map.js';
import { type Claims, type ClaimMapping, toIdentity } from './claims.js';
import { type ProviderHttp } from './provider-http.js';

/** How opaque tokens are looked up at their issuer (RFC 7662). */
export interface IntrospectionRules extends ClaimMapping {
  /** The issuer of the tokens; compared with the answer's `iss` if it has one. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Answers without `aud` are accepted, for issuers whose tokens are good for this host only. Default false. */
  readonly withoutAudience?: boolean;
  /** How long a token found good is believed; revoking it takes that long. Default 60, at most 60. */
  readonly cacheSeconds?: number;
}

/** How long a token found wrong is not asked about again. */
const NEGATIVE_CACHE_MS = 5_000;
const MAX_CACHE_SECONDS = 60;
const MAX_CACHED = 10_000;
/** After a failure the issuer is left alone for this long, so that its recovery is not delayed by us. */
const PAUSE_MS = 1_000;

interface Known {
  readonly untilMs: number;
  /** Undefined for a token that is not active. */
  readonly identity?: VerifiedIdentity;
}

/**
 * Asks an issuer about its opaque tokens.
 *
 * - The same token is asked about once at a time, once a minute when it is good, and once in five seconds when it is not.
 * - Tokens are remembered by their SHA-256 only.
 * - An issuer that does not answer, or answers nonsense, is `unavailable`: only its clear no makes a token invalid.
 */
export class TokenIntrospection {
  readonly #known = new BoundedMap<string, Known>(MAX_CACHED);
  readonly #asking = new Map<string, Promise<Known>>();
  #pausedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly rules: IntrospectionRules,
    /** Where to ask; found by discovery where it is not configured. */
    private readonly endpoint: () => Promise<string>,
    private readonly http: ProviderHttp,
    private readonly clock: Clock,
  ) {}

  /** @throws {CredentialsRefused} */
  async identify(token: string): Promise<VerifiedIdentity> {
    const key = createHash('sha256').update(token).digest('base64url');
    const known = this.#known.get(key);
    const answer = known && known.untilMs > this.clock.now() ? known : await this.askOnce(key, token);
    if (!answer.identity) throw CredentialsRefused.invalid('the issuer says the token is not active');
    return answer.identity;
  }

  private askOnce(key: string, token: string): Promise<Known> {
    const running = this.#asking.get(key);
    if (running) return running;
    const asking = this.ask(token)
      .then((answer) => {
        this.#known.set(key, answer);
        return answer;
      })
      .finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  private async ask(token: string): Promise<Known> {
    if (this.clock.now() < this.#pausedUntilMs) throw CredentialsRefused.unavailable('the issuer did not answer a moment ago');
    const claims = await this.post(token);
    return { untilMs: this.clock.now() + NEGATIVE_CACHE_MS, ...this.judge(claims) };
  }

  private async post(token: string): Promise<Claims> {
    try {
      const authorization = basic(this.rules.clientId, this.rules.clientSecret);
      return await this.http.postForm(await this.endpoint(), { token, token_type_hint: 'access_token' }, authorization);
    } catch (error) {
      this.#pausedUntilMs = this.clock.now() + PAUSE_MS;
      throw CredentialsRefused.unavailable('the issuer cannot be asked about the token', error);
    }
  }

  private judge(claims: Claims): Partial<Known> {
    const now = this.clock.now();
    const { active, iss, aud, exp, nbf } = claims;
    const holds =
      active === true &&
      (iss === undefined || iss === this.rules.issuer) &&
      (aud !== undefined || this.rules.withoutAudience === true) &&
      (exp === undefined || (typeof exp === 'number' && exp * 1_000 > now)) &&
      (nbf === undefined || (typeof nbf === 'number' && nbf * 1_000 <= now));
    const identity = holds ? this.toIdentity(claims) : undefined;
    if (!identity) return {};
    const believedMs = Math.min(this.rules.cacheSeconds ?? MAX_CACHE_SECONDS, MAX_CACHE_SECONDS) * 1_000;
    return { identity, untilMs: Math.min(now + believedMs, identity.expiresAtMs ?? Number.POSITIVE_INFINITY) };
  }

  /** A token without a subject speaks for the client itself (RFC 7662 §2.2); in a realm of its own, so that no subject can imitate it. */
  private toIdentity(claims: Claims): VerifiedIdentity | undefined {
    const client = claims['sub'] === undefined ? claims['client_id'] : undefined;
    try {
      const identity = toIdentity({ ...claims, sub: client ?? claims['sub'] }, this.rules.issuer, this.rules);
      const audiences = claims['aud'] === undefined ? undefined : identity.audiences;
      return { ...identity, audiences, realm: client === undefined ? identity.realm : 'token-client' };
    } catch (error) {
      if (error instanceof CredentialsRefused) return undefined;
      throw error;
    }
  }
}

/** Client credentials are form-encoded before they are joined (RFC 6749 §2.3.1). */
function basic(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`;
}
