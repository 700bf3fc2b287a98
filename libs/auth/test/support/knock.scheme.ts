import { create } from '@bufbuild/protobuf';
import { HTTPAuthSecuritySchemeSchema, SecuritySchemeSchema } from '@a2a/a2a-core';
import {
  type AuthRequest,
  CredentialsRefused,
  CredentialStrategy,
  type DeclaredScheme,
  formatChallenge,
  type PreparedScheme,
  type SchemeDeclaration,
  SchemeVerifier,
  type VerifiedIdentity,
  VerifiesScheme,
} from '@a2a/auth';

interface KnockSettings {
  /** Subject by number of knocks. */
  readonly neighbours: Readonly<Record<string, string>>;
}

export function knockScheme(settings: KnockSettings): SchemeDeclaration<KnockSettings> {
  const value = create(HTTPAuthSecuritySchemeSchema, { scheme: 'Knock', description: 'Knock as agreed' });
  return { kind: 'knock', card: create(SecuritySchemeSchema, { scheme: { case: 'httpAuthSecurityScheme', value } }), settings };
}

@VerifiesScheme('knock')
export class KnockScheme extends SchemeVerifier<KnockSettings> {
  prepare({ name, settings }: DeclaredScheme<KnockSettings>): PreparedScheme {
    if (Object.keys(settings.neighbours).length === 0) throw new Error('nobody could ever come in');
    return {
      strategy: new KnockStrategy(settings, name),
      carriers: [{ in: 'header', name: 'x-knocks' }],
      challenge: ({ realm }) => formatChallenge('Knock', { realm }),
      throttle: {},
    };
  }
}

class KnockStrategy extends CredentialStrategy {
  constructor(
    private readonly settings: KnockSettings,
    private readonly issuer: string,
  ) {
    super();
  }

  protected async verify({ headers }: AuthRequest): Promise<VerifiedIdentity> {
    const knocks = headers['x-knocks'] ?? '';
    if (!/^\d+$/.test(knocks)) throw CredentialsRefused.malformed('knocks are counted in digits');
    const subject = this.settings.neighbours[knocks];
    if (subject === undefined) throw CredentialsRefused.invalid('nobody knocks like that');
    return { realm: 'knock', issuer: this.issuer, subject, scopes: [] };
  }
}
