import { type JsonObject } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { makeCertificate } from '../grpc/support/certificates.js';
import { RawGrpcClient } from '../grpc/support/grpc.client.js';
import { exchangeRaw } from '../http/support/http-client.js';
import { HostEnded, startHost } from '../support/host.js';
import { askTls } from './support/https-client.js';
import { TlsHost } from './support/tls-host.js';

const CARD = '/.well-known/agent-card.json';
const SEND = { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] } };
/** Lets a client of today offer the versions of yesterday. */
const OLD_CIPHERS = 'DEFAULT@SECLEVEL=0';

describe.each(['express', 'fastify'])('A host with a certificate, on %s', (adapter) => {
  let host: TlsHost;
  beforeAll(async () => {
    host = await TlsHost.start({ env: { HTTP_ADAPTER: adapter } });
  });
  afterAll(() => host.stop());

  it('says https on its cards, and answers there on every wire [SEC-01]', async () => {
    const { supportedInterfaces } = (await host.ask(CARD)).json as { supportedInterfaces: JsonObject[] };
    expect(supportedInterfaces.map(({ protocolBinding, url }) => [protocolBinding, url])).toEqual([
      ['JSONRPC', `${host.httpsUrl}/rpc`],
      ['HTTP+JSON', host.httpsUrl],
      ['GRPC', host.process.grpcUrl],
    ]);
    const rest = await host.ask('/message:send', {
      method: 'POST',
      headers: { 'content-type': 'application/a2a+json' },
      body: JSON.stringify(SEND),
    });
    expect([rest.status, (await host.rpc('SendMessage', SEND)).json.error]).toEqual([200, undefined]);
    expect((await host.grpc().unary('ListTasks')).code).toBe(status.OK);
  });

  it('speaks TLS 1.3, also 1.2, and nothing older [SEC-01]', async () => {
    expect((await host.ask(CARD)).protocol).toBe('TLSv1.3');
    expect((await host.ask(CARD, { maxVersion: 'TLSv1.2' })).protocol).toBe('TLSv1.2');
    for (const url of [host.httpsUrl, `https://${host.process.grpcUrl}`]) {
      const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: OLD_CIPHERS } as const;
      await expect(askTls(url, host.authority, old)).rejects.toThrow(/alert protocol version|no protocols available|ECONNRESET/);
    }
  });

  it('tells browsers to come back over https only [SEC-01]', async () => {
    expect((await host.ask(CARD)).headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it('says nothing in the clear, over HTTP or gRPC', async () => {
    const port = Number(new URL(host.httpsUrl).port);
    expect(await exchangeRaw(port, `GET ${CARD} HTTP/1.1\r\nHost: x\r\n\r\n`).catch(() => '')).not.toContain('HTTP/1.1 200');
    const plain = new RawGrpcClient(host.process.grpcUrl);
    expect((await plain.unary('ListTasks')).code).toBe(status.UNAVAILABLE);
    plain.close();
  });

  it('serves a renewed certificate after SIGHUP, and keeps the old one when the new files are no good', async () => {
    const renewed = await makeCertificate('renewed', host.authority);
    host.replaceFiles(renewed.cert, renewed.key);
    expect((await host.ask(CARD)).serverCertificate.subject).toBe('CN=server');
    process.kill(host.process.pid, 'SIGHUP');
    await host.process.logged('TLS files were read again');
    expect((await host.ask(CARD)).serverCertificate.subject).toBe('CN=renewed');

    host.replaceFiles('no certificate', 'no key');
    process.kill(host.process.pid, 'SIGHUP');
    await host.process.logged('TLS files cannot be used');
    expect((await host.ask(CARD)).serverCertificate.subject).toBe('CN=renewed');
    expect((await host.grpc().unary('ListTasks')).code).toBe(status.OK);
  });
});

describe('A host with a certificate of another authority', () => {
  it('serves gRPC with it after SIGHUP', async () => {
    const host = await TlsHost.start();
    const renewed = await makeCertificate('renewed', await makeCertificate('another authority'));
    expect((await host.grpc().unary('ListTasks')).code).toBe(status.OK);
    host.replaceFiles(renewed.cert, renewed.key);
    process.kill(host.process.pid, 'SIGHUP');
    await host.process.logged('TLS files were read again');
    expect((await host.grpc().unary('ListTasks')).code).toBe(status.UNAVAILABLE);
    await host.stop();
  });
});

describe('A host with TLS files that are no good does not start', () => {
  async function failureOf(env: Readonly<Record<string, string>>): Promise<string> {
    const failure: unknown = await startHost({ env }).then(
      (host) => host.stop(),
      (error: unknown) => error,
    );
    if (!(failure instanceof HostEnded)) throw new Error('The host started');
    expect(failure.exit.code).toBe(1);
    return failure.logs.join('\n');
  }

  it('and says which setting to correct', async () => {
    const [one, other] = await Promise.all([makeCertificate('one'), makeCertificate('other')]);
    const cert = { A2A_TLS_CERT_FILE: one.certFile };
    expect(await failureOf(cert)).toContain('A2A_TLS_CERT_FILE is set without A2A_TLS_KEY_FILE');
    expect(await failureOf({ A2A_TLS_KEY_FILE: one.keyFile })).toContain('A2A_TLS_KEY_FILE is set without A2A_TLS_CERT_FILE');
    expect(await failureOf({ A2A_TLS_CA_FILE: one.certFile })).toContain('A2A_TLS_CA_FILE is set without TLS');
    expect(await failureOf({ ...cert, A2A_TLS_KEY_FILE: '/nowhere/key.pem' })).toContain(
      'A2A_TLS_KEY_FILE is "/nowhere/key.pem", which cannot be read (ENOENT)',
    );
    expect(await failureOf({ ...cert, A2A_TLS_KEY_FILE: other.keyFile })).toContain('the key must be that of the certificate');
  });
});
