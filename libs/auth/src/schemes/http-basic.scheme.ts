import { create } from '@bufbuild/protobuf';
import { type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Clock, HTTPAuthSecuritySchemeSchema, SecuritySchemeSchema } from '@a2a/a2a-core';
import { type AuthRequest } from '../security/auth-request.js';
import { type Carrier, valueIn } from '../security/carrier.js';
import { formatChallenge } from '../security/challenge.js';
import { CredentialStrategy } from '../security/credential.strategy.js';
import { CredentialsRefused, type VerifiedIdentity } from '../security/outcome.js';
import {
  type DeclaredScheme,
  type PreparedScheme,
  type SchemeDeclaration,
  SchemeVerifier,
  VerifiesScheme,
} from '../security/scheme-verifier.js';
import { type BasicUser, BasicUserStore, ListedBasicUsers } from './basic-user.store.js';

const KIND = 'http-basic';
const CARRIER: Carrier = { in: 'authorization', scheme: 'basic' };
const MAX_LENGTH = 8_192;

/** HTTP basic authentication (A2A §4.5.3, RFC 7617). */
export interface HttpBasicSettings {
  readonly description?: string;
  readonly users: readonly BasicUser[] | Type<BasicUserStore>;
}

export function httpBasicScheme(settings: HttpBasicSettings): SchemeDeclaration<HttpBasicSettings> {
  const value = create(HTTPAuthSecuritySchemeSchema, { scheme: 'Basic', description: settings.description ?? '' });
  return { kind: KIND, card: create(SecuritySchemeSchema, { scheme: { case: 'httpAuthSecurityScheme', value } }), settings };
}

/** User name and password. Failures are counted for each user name within an address, never for a user name alone. */
@VerifiesScheme(KIND)
export class HttpBasicScheme extends SchemeVerifier<HttpBasicSettings> {
  constructor(
    private readonly modules: ModuleRef,
    private readonly clock: Clock,
  ) {
    super();
  }

  prepare({ name, settings: { users } }: DeclaredScheme<HttpBasicSettings>): PreparedScheme {
    const store = typeof users === 'function' ? this.modules.get(users, { strict: false }) : new ListedBasicUsers(users, this.clock);
    return {
      strategy: new HttpBasicStrategy(store, name),
      carriers: [CARRIER],
      challenge: ({ realm }) => formatChallenge('Basic', { realm, charset: 'UTF-8' }),
      throttle: { nameOf: (request) => parseBasic(valueIn(CARRIER, request))?.username },
    };
  }
}

class HttpBasicStrategy extends CredentialStrategy {
  constructor(
    private readonly store: BasicUserStore,
    private readonly issuer: string,
  ) {
    super();
  }

  protected async verify(request: AuthRequest): Promise<VerifiedIdentity> {
    const given = parseBasic(valueIn(CARRIER, request));
    if (!given) throw CredentialsRefused.malformed('the basic credentials cannot be read');
    const user = await this.store.verify(given.username, given.password);
    if (!user) throw CredentialsRefused.invalid('user name and password do not match');
    const { username, displayName, scopes = [], tenants } = user;
    return { realm: 'basic', issuer: this.issuer, subject: username, displayName, scopes, tenants };
  }
}

/** The two parts, split at the first colon, as UTF-8; undefined for anything else (RFC 7617 §2). */
export function parseBasic(value: string | undefined): { readonly username: string; readonly password: string } | undefined {
  if (!value || value.length > MAX_LENGTH || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return undefined;
  const text = decodeUtf8(Buffer.from(value, 'base64'));
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 1) return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
