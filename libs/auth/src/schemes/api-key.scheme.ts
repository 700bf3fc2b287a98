import { create } from '@bufbuild/protobuf';
import { ModuleRef } from '@nestjs/core';
import { type Type } from '@nestjs/common';
import { APIKeySecuritySchemeSchema, A2aLogger, Clock, SecuritySchemeSchema } from '@a2a/a2a-core';
import { type AuthRequest, type Place } from '../security/auth-request.js';
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
import { type ApiKey, ApiKeyStore, hashApiKey, ListedApiKeys } from './api-key.store.js';

const KIND = 'api-key';

/** An API key scheme (A2A §4.5.2). */
export interface ApiKeySettings {
  /** A wire without request parameters or cookies carries both as metadata. */
  readonly in: Place;
  /** Name of the header, parameter or cookie. */
  readonly name: string;
  readonly description?: string;
  /** The keys themselves, as digests, or a provider that looks them up. */
  readonly keys: readonly ApiKey[] | Type<ApiKeyStore>;
}

export function apiKeyScheme(settings: ApiKeySettings): SchemeDeclaration<ApiKeySettings> {
  const { in: location, name, description = '' } = settings;
  const value = create(APIKeySecuritySchemeSchema, { location, name, description });
  return { kind: KIND, card: create(SecuritySchemeSchema, { scheme: { case: 'apiKeySecurityScheme', value } }), settings };
}

/**
 * API keys, looked up by their SHA-256.
 *
 * The digest is the lookup key, so no comparison depends on the secret, and what is stored opens nothing if it is stolen.
 */
@VerifiesScheme(KIND)
export class ApiKeyScheme extends SchemeVerifier<ApiKeySettings> {
  constructor(
    private readonly modules: ModuleRef,
    private readonly clock: Clock,
    private readonly logger: A2aLogger,
  ) {
    super();
  }

  prepare({ name: schemeName, settings }: DeclaredScheme<ApiKeySettings>): PreparedScheme {
    const { in: place, name, keys } = settings;
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw new Error(`"${name}" cannot be the name of a ${place}`);
    if (place === 'query') this.logger.warn('API keys in URLs end up in logs and histories; prefer a header', { scheme: schemeName });
    const store = typeof keys === 'function' ? this.modules.get(keys, { strict: false }) : new ListedApiKeys(keys);
    return {
      strategy: new ApiKeyStrategy({ in: place, name }, store, schemeName, this.clock),
      carriers: [{ in: place, name }],
      challenge: ({ realm }) => formatChallenge('ApiKey', { realm, in: place, name }),
      throttle: {},
    };
  }
}

class ApiKeyStrategy extends CredentialStrategy {
  constructor(
    private readonly carrier: Carrier,
    private readonly store: ApiKeyStore,
    private readonly issuer: string,
    private readonly clock: Clock,
  ) {
    super();
  }

  protected async verify(request: AuthRequest): Promise<VerifiedIdentity> {
    const key = await this.store.find(hashApiKey(valueIn(this.carrier, request) ?? ''));
    if (!key) throw CredentialsRefused.invalid('there is no such key');
    if (key.expiresAtMs !== undefined && key.expiresAtMs <= this.clock.now()) throw CredentialsRefused.invalid('the key has expired');
    const { subject, displayName, scopes = [], tenants, expiresAtMs } = key;
    return { realm: 'api-key', issuer: this.issuer, subject, displayName, scopes, tenants, expiresAtMs };
  }
}
