import { X509Certificate } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { makeCertificate, type TestCertificate } from '../grpc/support/certificates.js';
import { type HttpsAsk } from './support/https-client.js';
import { TlsHost } from './support/tls-host.js';

const ROBOT = 'robot.acme.example';
const SECURITY = {
  schemes: { certificate: { kind: 'mutualTls', clients: { [ROBOT]: {} } } },
  agents: { echo: { requirements: [{ certificate: [] }] } },
};
const OTHER_AGENT = '/agents/incident-analyst';

/** RFC 9440: what a proxy that ends TLS says of the client. */
function clientCert({ cert }: TestCertificate): Record<string, string> {
  return { 'client-cert': `:${new X509Certificate(cert).raw.toString('base64')}:` };
}

describe.each(['express', 'fastify'])("Clients' certificates, on %s", (adapter) => {
  let host: TlsHost;
  let robot: TestCertificate;
  let stranger: TestCertificate;

  beforeAll(async () => {
    host = await TlsHost.start({ env: { HTTP_ADAPTER: adapter }, asksClients: true, security: SECURITY });
    robot = await makeCertificate('robot', host.clients, [ROBOT]);
    stranger = await makeCertificate('robot', undefined, [ROBOT]);
  });
  afterAll(() => host.stop());

  const statuses = async (options: HttpsAsk): Promise<number[]> => [
    (await host.ask('/tasks', options)).status,
    (await host.rpc('ListTasks', {}, options)).status,
  ];

  it('open an agent that asks for one, over every wire [A22]', async () => {
    expect(await statuses({ client: robot })).toEqual([200, 200]);
    expect((await host.grpc(robot).unary('ListTasks')).code).toBe(status.OK);
  });

  it('are missed by that agent, and by no other on the same port', async () => {
    expect(await statuses({})).toEqual([401, 401]);
    expect((await host.ask(`${OTHER_AGENT}/tasks`)).status).toBe(200);
    expect((await host.grpc().unary('ListTasks')).code).toBe(status.UNAUTHENTICATED);
    expect((await host.grpc().unary('ListTasks', { tenant: 'incident-analyst' })).code).toBe(status.OK);
  });

  it('of a stranger, with the very same names, are as none [A22]', async () => {
    expect(await statuses({ client: stranger })).toEqual([401, 401]);
    expect((await host.grpc(stranger).unary('ListTasks')).code).toBe(status.UNAUTHENTICATED);
  });

  it('in a header count for nothing from anybody [A21]', async () => {
    expect(await statuses({ headers: clientCert(robot) })).toEqual([401, 401]);
    expect((await host.grpc().unary('ListTasks', {}, { metadata: clientCert(robot) })).code).toBe(status.UNAUTHENTICATED);
  });
});

describe('Behind a proxy that ends TLS', () => {
  it("clients' certificates come in Client-Cert, from that proxy alone, over every wire [A21]", async () => {
    const robot = await makeCertificate('robot', undefined, [ROBOT]);
    for (const [proxy, expected] of [
      ['127.0.0.1', 200],
      ['127.0.0.2', 401],
    ] as const) {
      const security = { ...SECURITY, clientCertificates: { trustedProxies: [proxy] } };
      const host = await TlsHost.start({ security });
      const headers = clientCert(robot);
      expect((await host.ask('/tasks', { headers })).status).toBe(expected);
      expect((await host.rpc('ListTasks', {}, { headers })).status).toBe(expected);
      expect((await host.grpc().unary('ListTasks', {}, { metadata: headers })).code).toBe(
        expected === 200 ? status.OK : status.UNAUTHENTICATED,
      );
      await host.stop();
    }
  });
});
