import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials } from '@grpc/grpc-js';
import { makeCertificate, type TestCertificate } from '../../grpc/support/certificates.js';
import { RawGrpcClient } from '../../grpc/support/grpc.client.js';
import { type Host, startHost } from '../../support/host.js';
import { askTls, type HttpsAsk, type HttpsReply } from './https-client.js';

export interface TlsHostOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Asks clients for certificates of `clients`. */
  readonly asksClients?: boolean;
  /** Members of a security file. */
  readonly security?: object;
}

/** The built host with a certificate of an authority made for it, and clients that trust only that. */
export class TlsHost {
  readonly #clients = new Set<RawGrpcClient>();

  private constructor(
    readonly process: Host,
    /** Whose certificate the server shows. */
    readonly authority: TestCertificate,
    /** Whose certificates clients may show. */
    readonly clients: TestCertificate,
    private readonly folder: string,
  ) {}

  static async start({ env = {}, asksClients = false, security }: TlsHostOptions = {}): Promise<TlsHost> {
    const folder = mkdtempSync(join(tmpdir(), 'a2a-front-door-'));
    const [authority, clients] = await Promise.all([makeCertificate('authority'), makeCertificate('clients')]);
    const server = await makeCertificate('server', authority);
    copyFileSync(server.certFile, join(folder, 'tls.crt'));
    copyFileSync(server.keyFile, join(folder, 'tls.key'));
    const settings: Record<string, string> = {
      A2A_TLS_CERT_FILE: join(folder, 'tls.crt'),
      A2A_TLS_KEY_FILE: join(folder, 'tls.key'),
      A2A_DEFAULT_AGENT: 'echo',
      ...env,
    };
    if (asksClients) settings.A2A_TLS_CA_FILE = clients.certFile;
    if (security) {
      settings.A2A_SECURITY_FILE = join(folder, 'security.json');
      writeFileSync(settings.A2A_SECURITY_FILE, JSON.stringify(security));
    }
    return new TlsHost(await startHost({ env: settings }), authority, clients, folder);
  }

  get httpsUrl(): string {
    return this.process.httpUrl.replace('http:', 'https:');
  }

  /** Puts another certificate, or anything else, where the host reads its own. */
  replaceFiles(cert: string, key: string): void {
    writeFileSync(join(this.folder, 'tls.crt'), cert);
    writeFileSync(join(this.folder, 'tls.key'), key);
  }

  ask(path: string, options: HttpsAsk = {}): Promise<HttpsReply> {
    return askTls(`${this.httpsUrl}${path}`, this.authority, options);
  }

  rpc(method: string, params: object, options: HttpsAsk = {}): Promise<HttpsReply> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return this.ask('/rpc', { method: 'POST', body, ...options, headers: { 'content-type': 'application/json', ...options.headers } });
  }

  /** @param client shows its certificate to the server */
  grpc(client?: TestCertificate): RawGrpcClient {
    const [key, cert] = [client?.key, client?.cert].map((pem) => (pem === undefined ? null : Buffer.from(pem))) as [
      Buffer | null,
      Buffer | null,
    ];
    const made = new RawGrpcClient(this.process.grpcUrl, credentials.createSsl(Buffer.from(this.authority.cert), key, cert));
    this.#clients.add(made);
    return made;
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) client.close();
    await this.process.stop();
    rmSync(this.folder, { recursive: true });
  }
}
