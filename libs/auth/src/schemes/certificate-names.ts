import { type ClientCertificate } from '../security/client-certificate.js';

/** Names in a certificate, as its authority vouches for them. */
export interface CertificateNames {
  /** URI names, such as `spiffe://example.org/billing`. */
  readonly uris: readonly string[];
  readonly dnsNames: readonly string[];
  /** For rules that cannot do without; never used by default. */
  readonly commonName?: string;
  /** SHA-256 of the certificate, base64url. */
  readonly thumbprint: string;
}

/** `Kind:value`, separated by commas; a value with a comma or quote in it is written as a JSON string. */
const ENTRY = /(?:^|, )([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,]*)/g;

export function namesOf({ x509, thumbprint }: ClientCertificate): CertificateNames {
  const entries = [...(x509.subjectAltName ?? '').matchAll(ENTRY)].map(([, kind = '', value = '']) => ({ kind, value: unquoted(value) }));
  const of = (wanted: string): readonly string[] => entries.flatMap(({ kind, value }) => (kind === wanted && value ? [value] : []));
  const commonName = /^CN=(.+)$/m.exec(x509.subject ?? '')?.[1];
  return { uris: of('URI'), dnsNames: of('DNS'), commonName, thumbprint };
}

function unquoted(value: string): string {
  return value.startsWith('"') ? String(JSON.parse(value)) : value;
}
