import { createHash, X509Certificate } from 'node:crypto';
import { type CallSeed } from '@a2a/a2a-core';
import { AddressList } from './address-list.js';

/** Where clients' certificates may come from beside the TLS connection itself. */
export interface ClientCertificateOptions {
  /** Proxies that end TLS: addresses or CIDR blocks. They must overwrite the header on every request. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** Header in the form of RFC 9440. Default `client-cert`. */
  readonly header?: string;
}

/** A certificate whose key the caller holds. */
export interface ClientCertificate {
  /** Its chain leads to an authority that this host, or the trusted proxy, accepts. */
  readonly verified: boolean;
  /** SHA-256 of the DER form, base64url: `x5t#S256` of RFC 8705. */
  readonly thumbprint: string;
  readonly x509: X509Certificate;
}

/** Finds the caller's certificate. A header counts only from a trusted proxy; from anybody else it is as if it were not there. */
export class ClientCertificateReader {
  readonly #proxies: AddressList;
  readonly header: string;

  /** @throws {Error} for a proxy that is neither address nor CIDR block */
  constructor(options: ClientCertificateOptions = {}) {
    this.#proxies = new AddressList(options.trustedProxies ?? []);
    this.header = (options.header ?? 'client-cert').toLowerCase();
  }

  read(seed: CallSeed): ClientCertificate | undefined {
    const forwarded = seed.headers.get(this.header);
    if (forwarded !== undefined && this.#proxies.has(seed.connectionAddress ?? seed.remoteAddress)) {
      return toCertificate(parseHeader(forwarded), true);
    }
    const { peerCertificate } = seed;
    return peerCertificate && toCertificate(peerCertificate.der, peerCertificate.verified);
  }
}

/** RFC 9440 §2.1: a byte sequence of structured fields, `:base64:`. */
function parseHeader(value: string): Uint8Array | undefined {
  const match = /^:([A-Za-z0-9+/]+={0,2}):$/.exec(value.trim());
  return match?.[1] === undefined ? undefined : Buffer.from(match[1], 'base64');
}

/** What cannot be read proves nothing. */
function toCertificate(der: Uint8Array | undefined, verified: boolean): ClientCertificate | undefined {
  if (!der) return undefined;
  try {
    const x509 = new X509Certificate(der);
    return { verified, thumbprint: createHash('sha256').update(x509.raw).digest('base64url'), x509 };
  } catch {
    return undefined;
  }
}
