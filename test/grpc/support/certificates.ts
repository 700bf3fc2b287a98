import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** A certificate and its key, PEM, in memory and in files. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** All of one spec file, and gone with it. */
const folder = mkdtempSync(join(tmpdir(), 'a2a-certificates-'));
let made = 0;
afterAll(() => rmSync(folder, { recursive: true }));

/** A certificate for 127.0.0.1 and these names, of its own or signed by `authority`. */
export async function makeCertificate(
  name: string,
  authority?: TestCertificate,
  dnsNames: readonly string[] = [],
): Promise<TestCertificate> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: authority && { cert: authority.cert, key: authority.key },
    extensions: [
      { name: 'basicConstraints', cA: authority === undefined, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }, ...dnsNames.map((value) => ({ type: 2 as const, value }))] },
    ],
  });
  const [certFile, keyFile] = [join(folder, `${++made}.cert.pem`), join(folder, `${made}.key.pem`)];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key, { mode: 0o600 });
  return { cert, key, certFile, keyFile };
}
