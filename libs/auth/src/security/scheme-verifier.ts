import { DiscoveryService } from '@nestjs/core';
import { applyDecorators, Injectable } from '@nestjs/common';
import { type SecurityScheme } from '@a2a/a2a-core';
import { type Carrier } from './carrier.js';
import { type VerifiedIdentity } from './outcome.js';
import { type RunnableStrategy } from './run-strategy.js';
import { type AuthRequest } from './auth-request.js';

/** One entry of `schemes`: the card's side and the verifier's side of a scheme, declared together. */
export interface SchemeDeclaration<Settings = unknown> {
  /** Names the class that verifies it: `@VerifiesScheme(kind)`. */
  readonly kind: string;
  /** As the card shows it (A2A §4.5.1). */
  readonly card: SecurityScheme;
  /** Never shown to anybody. */
  readonly settings: Settings;
}

/** A declaration under its name. */
export interface DeclaredScheme<Settings = unknown> extends SchemeDeclaration<Settings> {
  readonly name: string;
}

/** What a challenge has to say (RFC 9110 §11.6.1, RFC 6750 §3). */
export interface ChallengeFacts {
  readonly realm: string;
  readonly scopes: readonly string[];
  readonly error?: 'invalid_token' | 'insufficient_scope';
  readonly resourceMetadataUrl?: string;
}

/** A scheme ready for calls. */
export interface PreparedScheme {
  /** Any passport strategy; it runs only when one of the carriers is filled. */
  readonly strategy: RunnableStrategy;
  /** Where its credentials stand. Absent, repeated and hidden from executors are all decided by this. */
  readonly carriers: readonly Carrier[];
  /** Value of `WWW-Authenticate`. */
  challenge(facts: ChallengeFacts): string;
  /** Makes an identity of the strategy's user. Default: the user is one. */
  identityOf?(user: unknown, request: AuthRequest): VerifiedIdentity;
  /** Who alone vouches for its credentials: what another issuer has vouched for is not shown to this one. Default: nobody in particular. */
  readonly issuer?: string;
  /** Set where a secret can be guessed: failures are counted for each address, and for this name within it if there is one. */
  readonly throttle?: { nameOf?(request: AuthRequest): string | undefined };
}

/**
 * Verifies all schemes of one kind. One class a kind; Nest makes it, so it may inject what it needs.
 *
 * `schemeVerifierContract` in `test/contracts` says what its strategies have to keep.
 */
export abstract class SchemeVerifier<Settings = unknown> {
  /**
   * Runs once for each declared scheme of this kind, when the host starts.
   *
   * @throws {Error} for settings that cannot work; the host does not start then
   */
  abstract prepare(scheme: DeclaredScheme<Settings>): PreparedScheme | Promise<PreparedScheme>;

  /** Tokens of this kind name whom they are for, so agents that use it have to say who they are. Default false. */
  needsAudience(_scheme: DeclaredScheme<Settings>): boolean {
    return false;
  }
}

/** Where Nest's discovery finds the kind a class verifies. */
export const VerifiesSchemeMetadata = DiscoveryService.createDecorator<string>();

/** Makes a provider the verifier of one kind of scheme. */
export function VerifiesScheme(kind: string): ClassDecorator {
  return applyDecorators(Injectable(), VerifiesSchemeMetadata(kind));
}
