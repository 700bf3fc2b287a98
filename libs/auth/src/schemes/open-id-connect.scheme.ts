import { create } from '@bufbuild/protobuf';
import { OpenIdConnectSecuritySchemeSchema, SecuritySchemeSchema } from '@a2a/a2a-core';
import {
  type DeclaredScheme,
  type PreparedScheme,
  type SchemeDeclaration,
  SchemeVerifier,
  VerifiesScheme,
} from '../security/scheme-verifier.js';
import { type AccessTokenRules } from '../tokens/access-token.rules.js';
import { checkProviderUrl } from '../tokens/provider-url.js';
import { TokenStrategies } from '../tokens/token-strategies.js';

const KIND = 'open-id-connect';
const DISCOVERY_PATH = '/.well-known/openid-configuration';

/** OpenID Connect (A2A §4.5.5): everything but the discovery URL is found at the issuer. */
export interface OpenIdConnectSettings extends Omit<AccessTokenRules, 'issuer'> {
  readonly description?: string;
  /** Such as `https://login.example.com/.well-known/openid-configuration`. */
  readonly openIdConnectUrl: string;
  /** Default: the discovery URL without its well-known path. The document has to name exactly this issuer. */
  readonly issuer?: string;
}

export function openIdConnectScheme(settings: OpenIdConnectSettings): SchemeDeclaration<OpenIdConnectSettings> {
  const { openIdConnectUrl, description = '' } = settings;
  const value = create(OpenIdConnectSecuritySchemeSchema, { openIdConnectUrl, description });
  return { kind: KIND, card: create(SecuritySchemeSchema, { scheme: { case: 'openIdConnectSecurityScheme', value } }), settings };
}

@VerifiesScheme(KIND)
export class OpenIdConnectScheme extends SchemeVerifier<OpenIdConnectSettings> {
  constructor(private readonly tokens: TokenStrategies) {
    super();
  }

  prepare({ settings }: DeclaredScheme<OpenIdConnectSettings>): PreparedScheme {
    const { openIdConnectUrl, issuer = issuerOf(openIdConnectUrl), description: _description, ...rules } = settings;
    return this.tokens.prepare({ jwt: { ...rules, issuer } }, checkProviderUrl('openIdConnectUrl', openIdConnectUrl));
  }

  override needsAudience(): boolean {
    return true;
  }
}

function issuerOf(discoveryUrl: string): string {
  if (discoveryUrl.endsWith(DISCOVERY_PATH)) return discoveryUrl.slice(0, -DISCOVERY_PATH.length);
  throw new Error(`openIdConnectUrl does not end in ${DISCOVERY_PATH}, so the issuer has to be given`);
}
