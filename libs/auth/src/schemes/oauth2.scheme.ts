import { create, type MessageInitShape } from '@bufbuild/protobuf';
import {
  A2aLogger,
  AuthorizationCodeOAuthFlowSchema,
  ClientCredentialsOAuthFlowSchema,
  DeviceCodeOAuthFlowSchema,
  ImplicitOAuthFlowSchema,
  OAuth2SecuritySchemeSchema,
  OAuthFlowsSchema,
  PasswordOAuthFlowSchema,
  SecuritySchemeSchema,
} from '@a2a/a2a-core';
import {
  type DeclaredScheme,
  type PreparedScheme,
  type SchemeDeclaration,
  SchemeVerifier,
  VerifiesScheme,
} from '../security/scheme-verifier.js';
import { checkProviderUrl } from '../tokens/provider-url.js';
import { type TokenSettings, TokenStrategies } from '../tokens/token-strategies.js';
import { needsAudience } from './http-bearer.scheme.js';

const KIND = 'oauth2';

type Init<Schema extends Parameters<typeof create>[0]> = Omit<MessageInitShape<Schema>, '$typeName' | '$unknown'>;

/** The flow by which clients get tokens: exactly one. An agent with several flows declares several schemes with the same `tokens`. */
export type OAuth2Flow =
  | { readonly authorizationCode: Init<typeof AuthorizationCodeOAuthFlowSchema> }
  | { readonly clientCredentials: Init<typeof ClientCredentialsOAuthFlowSchema> }
  | { readonly deviceCode: Init<typeof DeviceCodeOAuthFlowSchema> }
  /** Deprecated by OAuth 2.1; read, shown, and warned about. */
  | { readonly implicit: Init<typeof ImplicitOAuthFlowSchema> }
  /** Deprecated by OAuth 2.1; read, shown, and warned about. */
  | { readonly password: Init<typeof PasswordOAuthFlowSchema> };

/** OAuth 2.0 (A2A §4.5.4). For this host it is the same whatever the flow: a token, signed or looked up. */
export interface OAuth2Settings {
  readonly description?: string;
  readonly flow: OAuth2Flow;
  /** RFC 8414 metadata; keys and introspection are found there unless `tokens` says otherwise. */
  readonly metadataUrl?: string;
  readonly tokens: TokenSettings;
}

export function oauth2Scheme(settings: OAuth2Settings): SchemeDeclaration<OAuth2Settings> {
  const { description = '', metadataUrl: oauth2MetadataUrl = '' } = settings;
  const flows = create(OAuthFlowsSchema, { flow: toCardFlow(settings.flow) });
  const value = create(OAuth2SecuritySchemeSchema, { description, oauth2MetadataUrl, flows });
  return { kind: KIND, card: create(SecuritySchemeSchema, { scheme: { case: 'oauth2SecurityScheme', value } }), settings };
}

@VerifiesScheme(KIND)
export class OAuth2Scheme extends SchemeVerifier<OAuth2Settings> {
  constructor(
    private readonly tokens: TokenStrategies,
    private readonly logger: A2aLogger,
  ) {
    super();
  }

  prepare({ name, settings }: DeclaredScheme<OAuth2Settings>): PreparedScheme {
    checkFlow(settings.flow);
    if ('implicit' in settings.flow || 'password' in settings.flow) {
      this.logger.warn('the flow is deprecated and missing from later cards; prefer authorizationCode or deviceCode', { scheme: name });
    }
    return this.tokens.prepare(settings.tokens, settings.metadataUrl);
  }

  override needsAudience({ settings }: DeclaredScheme<OAuth2Settings>): boolean {
    return needsAudience(settings.tokens);
  }
}

/** Clients send secrets to these URLs, so each has to be TLS (proto, SEC-10). */
function checkFlow(flow: OAuth2Flow): void {
  const members = Object.entries(Object.values(flow)[0] as Readonly<Record<string, unknown>>);
  for (const [name, value] of members) if (name.endsWith('Url') && typeof value === 'string') checkProviderUrl(name, value);
}

function toCardFlow(flow: OAuth2Flow): MessageInitShape<typeof OAuthFlowsSchema>['flow'] {
  if ('authorizationCode' in flow) return { case: 'authorizationCode', value: flow.authorizationCode };
  if ('clientCredentials' in flow) return { case: 'clientCredentials', value: flow.clientCredentials };
  if ('deviceCode' in flow) return { case: 'deviceCode', value: flow.deviceCode };
  if ('implicit' in flow) return { case: 'implicit', value: flow.implicit };
  return { case: 'password', value: flow.password };
}
