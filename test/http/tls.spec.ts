import { Agent, request, type RequestOptions } from 'node:https';
import { once } from 'node:events';
import { type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { X509Certificate } from 'node:crypto';
import { makeCertificate, type TestCertificate } from '../grpc/support/certificates.js';
import { ScriptedHandler } from './support/scripted-handler.js';
import { ADAPTERS, WireHost } from './support/wire-host.js';

describe.each(ADAPTERS)('Connections on %s', (adapter) => {
  const handler = new ScriptedHandler();
  let authority: TestCertificate;
  let host: WireHost;

  beforeAll(async () => {
    authority = await makeCertificate('authority');
    const server = await makeCertificate('server', authority);
    const https = { cert: server.cert, key: server.key, ca: authority.cert, requestCert: true, rejectUnauthorized: false };
    host = await WireHost.start(adapter, { handler, https });
  });
  afterAll(() => host.stop());

  async function getTask(options: RequestOptions = {}): Promise<void> {
    const headers = { 'a2a-version': '1.0' };
    const outgoing = request({ host: '127.0.0.1', port: host.port, path: '/tasks/t', ca: authority.cert, headers, ...options });
    outgoing.end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect([response.statusCode, await text(response)]).toEqual([200, expect.any(String)]);
  }

  it('have one unguessable name for all their requests, and never share it', async () => {
    const [one, other] = [new Agent({ keepAlive: true, maxSockets: 1 }), new Agent({ keepAlive: true, maxSockets: 1 })];
    for (const agent of [one, one, other]) await getTask({ agent });
    const names = handler.seen.map(({ call }) => call.connectionId);
    expect(names[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect([names[1] === names[0], names[2] === names[0]]).toEqual([true, false]);
    one.destroy();
    other.destroy();
  });

  it('show the certificate of the client, and whether its chain holds [A22]', async () => {
    const [known, stranger] = [await makeCertificate('client', authority), await makeCertificate('stranger')];
    for (const [certificate, verified] of [
      [known, true],
      [stranger, false],
    ] as const) {
      await getTask({ agent: false, cert: certificate.cert, key: certificate.key });
      expect(handler.last.call.peerCertificate).toEqual({ der: new X509Certificate(certificate.cert).raw, verified });
    }
    await getTask({ agent: false });
    expect(handler.last.call.peerCertificate).toBeUndefined();
  });
});
