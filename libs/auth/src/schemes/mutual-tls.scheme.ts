import { create } from '@bufbuild/protobuf';
import { Clock, MutualTlsSecuritySchemeSchema, SecuritySchemeSchema } from '@a2a/a2a-core';
import { type AuthRequest } from '../security/auth-request.js';
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
import { type CertificateNames, namesOf } from './certificate-names.js';

const KIND = 'mutual-tls';

/** What a certificate's holder may do. */
export interface CertificateGrant {
  /** Default: the first URI name of the certificate (SPIFFE), else its first DNS name. */
  readonly subject?: string;
  /** Default: none. */
  readonly scopes?: readonly string[];
  /** Tenants the holder belongs to. Default: none. */
  readonly tenants?: readonly string[];
}

/** Mutual TLS (A2A §4.5.6). Who may issue certificates is the TLS listener's or the trusted proxy's matter. */
export interface MutualTlsSettings {
  readonly description?: string;
  /**
   * What this certificate's holder may do; undefined refuses it. Default: everybody with a URI or DNS name, without scopes.
   *
   * The common name is offered too and never used by itself: nothing keeps two authorities from giving the same one.
   */
  readonly grant?: (names: CertificateNames) => CertificateGrant | undefined;
}

export function mutualTlsScheme(settings: MutualTlsSettings = {}): SchemeDeclaration<MutualTlsSettings> {
  const value = create(MutualTlsSecuritySchemeSchema, { description: settings.description ?? '' });
  return { kind: KIND, card: create(SecuritySchemeSchema, { scheme: { case: 'mtlsSecurityScheme', value } }), settings };
}

@VerifiesScheme(KIND)
export class MutualTlsScheme extends SchemeVerifier<MutualTlsSettings> {
  constructor(private readonly clock: Clock) {
    super();
  }

  prepare({ name, settings }: DeclaredScheme<MutualTlsSettings>): PreparedScheme {
    return {
      strategy: new MutualTlsStrategy(settings.grant ?? (() => ({})), name, this.clock),
      carriers: [{ in: 'certificate' }],
      challenge: ({ realm }) => formatChallenge('MutualTLS', { realm }),
    };
  }
}

class MutualTlsStrategy extends CredentialStrategy {
  constructor(
    private readonly grant: (names: CertificateNames) => CertificateGrant | undefined,
    private readonly issuer: string,
    private readonly clock: Clock,
  ) {
    super();
  }

  protected async verify({ certificate }: AuthRequest): Promise<VerifiedIdentity> {
    if (!certificate?.verified) throw CredentialsRefused.invalid('the certificate leads to no trusted authority');
    const { validFrom, validTo } = certificate.x509;
    const now = this.clock.now();
    const expiresAtMs = Date.parse(validTo);
    if (now < Date.parse(validFrom) || now >= expiresAtMs) throw CredentialsRefused.invalid('the certificate is not valid at this time');
    const names = namesOf(certificate);
    const grant = this.grant(names);
    const subject = grant && (grant.subject ?? names.uris[0] ?? names.dnsNames[0]);
    if (!subject) throw CredentialsRefused.invalid('the certificate names nobody who is known here');
    return { realm: 'certificate', issuer: this.issuer, subject, scopes: grant.scopes ?? [], tenants: grant.tenants, expiresAtMs };
  }
}
