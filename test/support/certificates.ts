import { createHash, generateKeyPairSync, sign } from 'node:crypto';

/** Just enough DER (X.690) to make a certificate, so that tests need no tool beside Node. */
function tlv(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  const length = body.length < 128 ? Buffer.from([body.length]) : Buffer.from([0x82, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
}

const sequence = (...items: readonly Uint8Array[]): Buffer => tlv(0x30, ...items);
const text = (tag: number, value: string): Buffer => tlv(tag, Buffer.from(value));
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, 'hex'));
const ECDSA_SHA256 = oid('2a8648ce3d040302');
const COMMON_NAME = oid('550403');
const SUBJECT_ALT_NAME = oid('551d11');

export interface CertificateOptions {
  readonly uris?: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly commonName?: string;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

/** A self-signed certificate with the given names, DER. */
export function makeCertificate(options: CertificateOptions = {}): Buffer {
  const { uris = [], dnsNames = [], commonName = 'test' } = options;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(tlv(0x31, sequence(COMMON_NAME, text(0x0c, commonName))));
  const names = [...uris.map((uri) => text(0x86, uri)), ...dnsNames.map((dnsName) => text(0x82, dnsName))];
  const extensions = sequence(sequence(SUBJECT_ALT_NAME, tlv(0x04, sequence(...names))));
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1])),
    sequence(ECDSA_SHA256),
    name,
    sequence(time(options.notBefore ?? new Date('2020-01-01T00:00:00Z')), time(options.notAfter ?? new Date('2040-01-01T00:00:00Z'))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(names.length > 0 ? [tlv(0xa3, extensions)] : []),
  );
  return sequence(body, sequence(ECDSA_SHA256), tlv(0x03, Buffer.from([0]), sign('sha256', body, privateKey)));
}

/** `x5t#S256` of a certificate. */
export function thumbprint(der: Uint8Array): string {
  return createHash('sha256').update(der).digest('base64url');
}

/** The header form of RFC 9440. */
export function clientCertHeader(der: Uint8Array): string {
  return `:${Buffer.from(der).toString('base64')}:`;
}

function time(date: Date): Buffer {
  return text(0x18, date.toISOString().replace(/[-:T]|\.\d+/g, ''));
}
