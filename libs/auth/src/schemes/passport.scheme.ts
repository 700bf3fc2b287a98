import { type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type SecurityScheme } from '@a2a/a2a-core';
import { type AuthRequest } from '../security/auth-request.js';
import { type Carrier } from '../security/carrier.js';
import { formatChallenge } from '../security/challenge.js';
import { type VerifiedIdentity } from '../security/outcome.js';
import { type RunnableStrategy } from '../security/run-strategy.js';
import {
  type DeclaredScheme,
  type PreparedScheme,
  type SchemeDeclaration,
  SchemeVerifier,
  VerifiesScheme,
} from '../security/scheme-verifier.js';

const KIND = 'passport';

/** A passport strategy from elsewhere, as a scheme. */
export interface PassportSettings {
  /** How the card describes it. */
  readonly card: SecurityScheme;
  /** The strategy, or a provider of it such as a class made by `PassportStrategy` of `@nestjs/passport`. */
  readonly strategy: RunnableStrategy | Type<RunnableStrategy>;
  /** Where its credentials stand; the strategy runs only when one of them is there. */
  readonly carriers: readonly Carrier[];
  /** Who the strategy's user is. `issuer` and `subject` become the owner of all they make. */
  readonly identityOf: (user: unknown, request: AuthRequest) => VerifiedIdentity;
  /** Name for challenges, such as `Digest`. Default: the strategy's name on the card. */
  readonly challengeScheme?: string;
  /** The secret can be guessed, so failures are counted for each address. Default true. */
  readonly guessable?: boolean;
}

export function passportScheme(settings: PassportSettings): SchemeDeclaration<PassportSettings> {
  return { kind: KIND, card: settings.card, settings };
}

@VerifiesScheme(KIND)
export class PassportScheme extends SchemeVerifier<PassportSettings> {
  constructor(private readonly modules: ModuleRef) {
    super();
  }

  prepare({ name, settings }: DeclaredScheme<PassportSettings>): PreparedScheme {
    const { strategy, carriers, identityOf, challengeScheme = name, guessable = true } = settings;
    return {
      strategy: typeof strategy === 'function' ? this.modules.get(strategy, { strict: false }) : strategy,
      carriers,
      identityOf,
      challenge: ({ realm }) => formatChallenge(challengeScheme, { realm }),
      throttle: guessable ? {} : undefined,
    };
  }
}
