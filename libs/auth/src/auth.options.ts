import { type Type } from '@nestjs/common';
import { type AgentSecurity, type OperationName, type OutboundTargets } from '@a2a/a2a-core';
import { type AccessPolicy } from './security/access-policy.js';
import { type AuthFailureLimits } from './security/auth-failure.limits.js';
import { type ClientCertificateOptions } from './security/client-certificate.js';
import { type SchemeDeclaration } from './security/scheme-verifier.js';
import { type CardSigningOptions } from './cards/card-signing-keys.js';

/**
 * What `A2aAuthModule.forRoot` takes: the security of the whole host on one page. Also the token it is injected by.
 *
 * Every member has a default; without any, all agents are open and say so on their cards.
 */
export abstract class A2aAuthOptions {
  /** Schemes by the name that cards and requirements use. */
  readonly schemes?: Readonly<Record<string, SchemeDeclaration>>;
  /** Security by agent id; replaces the whole `security` of `@Agent`. */
  readonly agents?: Readonly<Record<string, AgentSecurity>>;
  /** Scopes an operation needs, for agents that name none; `A2A_OPERATION_SCOPES` is a ready table. Default: none. */
  readonly operationScopes?: Readonly<Partial<Record<OperationName, readonly string[]>>>;
  /**
   * Who owns what callers without credentials make: each its own, told apart by `A2A-Anonymous-Session` or the connection, or one owner
   * for all. Default `own`.
   */
  readonly anonymousOwner?: 'own' | 'shared';
  /** Trusted proxies that end TLS, and the header they put the client's certificate into. Default: none. */
  readonly clientCertificates?: ClientCertificateOptions;
  /** Origins whose pages may call with a cookie, beside the host's own. Default: none. */
  readonly allowedOrigins?: readonly string[];
  /** How many wrong secrets an address may try. Default 30, then 60 s and 60 s more each time, up to 900 s. */
  readonly authFailures?: Partial<AuthFailureLimits>;
  /** Where identity providers may be reached beside the host's outbound rule. Default: on this machine, if they are configured there. */
  readonly identityProviders?: OutboundTargets;
  /**
   * The host serves what `ProtectedResources` tells of an agent at `<publicUrl>/.well-known/oauth-protected-resource/agents/<id>`, and
   * bearer challenges point there (RFC 9728). Default: only to what an agent names itself, its `resourceMetadataUrl`.
   */
  readonly resourceMetadata?: { readonly publicUrl: string };
  /** The team's own rules, asked after everything else has agreed. Default: no further rules. */
  readonly policy?: Type<AccessPolicy>;
  /** Keys that sign cards. Default: cards are not signed. */
  readonly cardSigning?: CardSigningOptions;
}
