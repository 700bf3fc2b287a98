import { Injectable } from '@nestjs/common';
import { type RunnableStrategy } from '../security/run-strategy.js';
import { type PreparedScheme } from '../security/scheme-verifier.js';
import { type AccessTokenRules } from './access-token.rules.js';
import { AccessTokenStrategy, type TokenKeys } from './access-token.strategy.js';
import { BEARER } from './bearer-token.js';
import { bearerChallenge } from './bearer-challenge.js';
import { IdentityProviders } from './identity-providers.js';
import { oauthMetadataUrl } from './issuer-metadata.js';
import { OpaqueTokenStrategy } from './opaque-token.strategy.js';
import { checkProviderUrl } from './provider-url.js';
import { type IntrospectionRules, TokenIntrospection } from './token-introspection.js';

/** How a scheme's tokens are checked: by their signature, or by asking their issuer. */
export type TokenSettings =
  | { readonly jwt: AccessTokenRules & { /** Default: found in the issuer's metadata. */ readonly jwksUri?: string } }
  | { readonly opaque: IntrospectionRules & { /** Default: found in the issuer's metadata. */ readonly introspectionUrl?: string } };

const MAX_TOLERANCE_SECONDS = 60;

/** Makes the strategy behind every scheme that takes bearer tokens. */
@Injectable()
export class TokenStrategies {
  constructor(private readonly providers: IdentityProviders) {}

  /**
   * @param metadataUrl where the issuer describes itself. Default: as RFC 8414 says
   * @throws {Error} for settings that cannot be safe
   */
  prepare(settings: TokenSettings, metadataUrl?: string): PreparedScheme {
    const { issuer } = 'jwt' in settings ? settings.jwt : settings.opaque;
    const prepared = { carriers: [BEARER], challenge: bearerChallenge, issuer };
    if ('jwt' in settings) return { ...prepared, strategy: this.forAccessTokens(settings.jwt, metadataUrl) };
    return { ...prepared, strategy: this.forOpaqueTokens(settings.opaque, metadataUrl), throttle: {} };
  }

  private forAccessTokens({ jwksUri, ...rules }: Extract<TokenSettings, { jwt: unknown }>['jwt'], metadataUrl?: string): RunnableStrategy {
    checkProviderUrl('issuer', rules.issuer);
    if ((rules.clockToleranceSeconds ?? 0) > MAX_TOLERANCE_SECONDS) {
      throw new Error(`clockToleranceSeconds may be at most ${MAX_TOLERANCE_SECONDS}`);
    }
    return new AccessTokenStrategy(rules, this.keysOf(rules.issuer, jwksUri, metadataUrl), this.providers.clock);
  }

  private keysOf(issuer: string, jwksUri?: string, metadataUrl = oauthMetadataUrl(issuer)): TokenKeys {
    if (jwksUri !== undefined) return this.providers.keySet(checkProviderUrl('jwksUri', jwksUri));
    const metadata = this.providers.metadata(checkProviderUrl('metadata', metadataUrl), issuer);
    return {
      keyFor: async (choice) => this.providers.keySet(await metadata.get('jwksUri'), metadataUrl).keyFor(choice),
    };
  }

  private forOpaqueTokens(
    { introspectionUrl, ...rules }: Extract<TokenSettings, { opaque: unknown }>['opaque'],
    metadataUrl = oauthMetadataUrl(rules.issuer),
  ): RunnableStrategy {
    if (introspectionUrl !== undefined) checkProviderUrl('introspectionUrl', introspectionUrl);
    const metadata = this.providers.metadata(checkProviderUrl('metadata', metadataUrl), rules.issuer);
    const endpoint = async (): Promise<string> => introspectionUrl ?? metadata.get('introspectionUrl');
    return new OpaqueTokenStrategy(
      new TokenIntrospection(rules, endpoint, this.providers.http(introspectionUrl ?? metadataUrl), this.providers.clock),
    );
  }
}
