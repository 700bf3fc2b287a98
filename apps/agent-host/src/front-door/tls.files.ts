import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';

/** Where the TLS material is; read at start and again on SIGHUP. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** Authorities of clients' certificates. */
  readonly caFile?: string;
}

/** A2A §7.1: nothing older, and TLS 1.3 wherever the client has it. */
const OLDEST_VERSION = 'TLSv1.2';

/** @throws when a file cannot be read, or key and certificate do not belong together */
export function readTls({ certFile, keyFile, caFile }: TlsFiles): SecureContextOptions {
  const tls: SecureContextOptions = {
    cert: readFileSync(certFile),
    key: readFileSync(keyFile),
    ca: caFile === undefined ? undefined : readFileSync(caFile),
    minVersion: OLDEST_VERSION,
  };
  createSecureContext(tls);
  return tls;
}

/** What is wrong with the files, for a person; undefined when TLS can be served from them. */
export function findTlsProblem(files: TlsFiles): string | undefined {
  const settings = { A2A_TLS_CERT_FILE: files.certFile, A2A_TLS_KEY_FILE: files.keyFile, A2A_TLS_CA_FILE: files.caFile };
  for (const [setting, file] of Object.entries(settings)) {
    if (file === undefined) continue;
    try {
      readFileSync(file);
    } catch (error) {
      return `${setting} is ${JSON.stringify(file)}, which cannot be read (${(error as NodeJS.ErrnoException).code}). Correct it, or let this user read it.`;
    }
  }
  try {
    readTls(files);
    return undefined;
  } catch {
    return `A2A_TLS_CERT_FILE, A2A_TLS_KEY_FILE${files.caFile ? ' and A2A_TLS_CA_FILE' : ''} do not go together: they must hold PEM, and the key must be that of the certificate.`;
  }
}
