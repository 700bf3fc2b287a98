import { create } from '@bufbuild/protobuf';
import { HTTPAuthSecuritySchemeSchema, SecuritySchemeSchema } from '@a2a/a2a-core';
import {
  type DeclaredScheme,
  type PreparedScheme,
  type SchemeDeclaration,
  SchemeVerifier,
  VerifiesScheme,
} from '../security/scheme-verifier.js';
import { type TokenSettings, TokenStrategies } from '../tokens/token-strategies.js';

const KIND = 'http-bearer';

/** HTTP bearer authentication (A2A §4.5.3, RFC 6750). */
export interface HttpBearerSettings {
  readonly description?: string;
  /** A hint for people, such as `JWT`. */
  readonly bearerFormat?: string;
  readonly tokens: TokenSettings;
}

export function httpBearerScheme(settings: HttpBearerSettings): SchemeDeclaration<HttpBearerSettings> {
  const { description = '', bearerFormat = 'jwt' in settings.tokens ? 'JWT' : '' } = settings;
  const value = create(HTTPAuthSecuritySchemeSchema, { scheme: 'Bearer', description, bearerFormat });
  return { kind: KIND, card: create(SecuritySchemeSchema, { scheme: { case: 'httpAuthSecurityScheme', value } }), settings };
}

@VerifiesScheme(KIND)
export class HttpBearerScheme extends SchemeVerifier<HttpBearerSettings> {
  constructor(private readonly tokens: TokenStrategies) {
    super();
  }

  prepare({ settings }: DeclaredScheme<HttpBearerSettings>): PreparedScheme {
    return this.tokens.prepare(settings.tokens);
  }

  override needsAudience({ settings }: DeclaredScheme<HttpBearerSettings>): boolean {
    return needsAudience(settings.tokens);
  }
}

/** Every token names whom it is for, unless its issuer was declared not to say. */
export function needsAudience(tokens: TokenSettings): boolean {
  return 'jwt' in tokens || tokens.opaque.withoutAudience !== true;
}
