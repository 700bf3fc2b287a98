import { type KeyObject } from 'node:crypto';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-jwt';
import { type Clock } from '@a2a/a2a-core';
import { type AuthRequest } from '../security/auth-request.js';
import { type VerifiedIdentity } from '../security/outcome.js';
import { type AccessTokenRules, checkTokenClaims, checkTokenHeader, DEFAULT_ALGORITHMS, toleranceSeconds } from './access-token.rules.js';
import { readBearerToken } from './bearer-token.js';
import { type Claims, toIdentity } from './claims.js';
import { type KeyChoice } from './jwks-source.js';

/** Finds the key a token has to be signed with. */
export interface TokenKeys {
  /** @throws {CredentialsRefused} */
  keyFor(choice: KeyChoice): Promise<KeyObject>;
}

/**
 * JWT access tokens, by passport-jwt with its gaps closed.
 *
 * passport-jwt checks form, signature and algorithm. Around it: size and header before the key is looked up, keys from our own source,
 * and every claim afterwards by our own clock, because passport-jwt accepts tokens without `exp`, without `sub`, from the future, and
 * ID tokens.
 */
export class AccessTokenStrategy extends PassportStrategy(Strategy, 'a2a-access-token') {
  constructor(
    private readonly rules: AccessTokenRules,
    keys: TokenKeys,
    private readonly clock: Clock,
  ) {
    super({
      passReqToCallback: true,
      jwtFromRequest: readBearerToken,
      algorithms: [...(rules.algorithms ?? DEFAULT_ALGORITHMS)],
      issuer: rules.issuer,
      ignoreExpiration: true,
      jsonWebTokenOptions: { ignoreNotBefore: true },
      secretOrKeyProvider: (_request, token: string, done) => {
        findKey(token, rules, keys).then(
          // jsonwebtoken takes a KeyObject; only the types of passport-jwt are older than that.
          (key) => done(null, key as unknown as Buffer),
          (error: unknown) => done(error),
        );
      },
    });
  }

  /**
   * The identity ends when a new call with the token would be refused: a stream lives exactly as long.
   *
   * @throws {CredentialsRefused} `invalid`
   */
  validate(_request: AuthRequest, claims: Claims): VerifiedIdentity {
    checkTokenClaims(claims, this.rules, this.clock.now() / 1_000);
    const identity = toIdentity(claims, this.rules.issuer, this.rules);
    return { ...identity, expiresAtMs: (identity.expiresAtMs ?? 0) + toleranceSeconds(this.rules) * 1_000 };
  }
}

async function findKey(token: string, rules: AccessTokenRules, keys: TokenKeys): Promise<KeyObject> {
  return keys.keyFor(checkTokenHeader(token, rules));
}
