import { create } from '@bufbuild/protobuf';
import { credentials, Server, ServerCredentials, status } from '@grpc/grpc-js';
import { type HostedAgent, TaskSchema, WireRegistry } from '@a2a/a2a-core';
import { makeCertificate } from './support/certificates.js';
import { type GrpcHost, startGrpcHost } from './support/grpc.host.js';
import { RawGrpcClient } from './support/grpc.client.js';

const AGENT = { id: 'echo' } as HostedAgent;

describe('The gRPC transport', () => {
  let host: GrpcHost | undefined;
  const clients: RawGrpcClient[] = [];
  const connect = (...args: ConstructorParameters<typeof RawGrpcClient>) => {
    const client = new RawGrpcClient(...args);
    clients.push(client);
    return client;
  };

  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await host?.close();
    host = undefined;
  });

  it('tells cards host and port, and the agent as tenant unless at the root [GRPC-09, TEN-02]', async () => {
    host = await startGrpcHost();
    const [wire] = host.app.get(WireRegistry).wires;
    expect(wire?.binding).toBe('GRPC');
    expect(wire?.addressOf(AGENT, true)).toEqual({ url: `agents.example.com:${host.transport.port}` });
    expect(wire?.addressOf(AGENT, false)).toEqual({ url: `agents.example.com:${host.transport.port}`, tenant: 'echo' });
  });

  it('tells cards the public address it was given', async () => {
    host = await startGrpcHost({ options: { publicAddress: 'grpc.example.com:443' } });
    expect(host.app.get(WireRegistry).wires[0]?.addressOf(AGENT, true)).toEqual({ url: 'grpc.example.com:443' });
  });

  it('says why it cannot listen', async () => {
    host = await startGrpcHost();
    await expect(startGrpcHost({ options: { url: host.address } })).rejects.toThrow(/EADDRINUSE|bind/);
  });

  it('serves TLS, and plaintext to nobody [GRPC-01]', async () => {
    const { cert, certFile, keyFile } = await makeCertificate('server');
    host = await startGrpcHost({ options: { tls: { certFile, keyFile } } });
    host.requests.scripts.getTask = () => create(TaskSchema, { id: 't-1' });
    const trusting = connect(host.address, credentials.createSsl(Buffer.from(cert)));
    expect((await trusting.unary('GetTask', { id: 't-1' })).code).toBe(status.OK);
    expect((await connect(host.address).unary('GetTask', { id: 't-1' })).code).toBe(status.UNAVAILABLE);
  });

  it('asks for a client certificate of its authority and hands it over [MTLS]', async () => {
    const [server, authority] = await Promise.all([makeCertificate('server'), makeCertificate('authority')]);
    const [known, stranger] = await Promise.all([makeCertificate('alice', authority), makeCertificate('mallory')]);
    host = await startGrpcHost({ options: { tls: { ...server, clientCaFile: authority.certFile } } });
    host.requests.scripts.getTask = () => create(TaskSchema, { id: 't-1' });
    const call = ({ key, cert }: typeof known) =>
      connect(host?.address ?? '', credentials.createSsl(Buffer.from(server.cert), Buffer.from(key), Buffer.from(cert))).unary('GetTask', {
        id: 't-1',
      });

    expect((await call(known)).code).toBe(status.OK);
    expect((await call(stranger)).code).toBe(status.UNAVAILABLE);
    expect(host.requests.received).toHaveLength(1);
    const shown = host.requests.received[0]?.call.peerCertificate;
    expect(shown?.verified).toBe(true);
    expect(Buffer.from(shown?.der ?? []).toString('base64')).toBe(known.cert.replace(/-----.*-----|\s/g, ''));
  });

  it('lets nobody in through a server without the gate', async () => {
    host = await startGrpcHost();
    const { transport } = host;
    host.requests.scripts.getTask = () => create(TaskSchema, { id: 't-1' });
    // The same handlers on a server of the application's own.
    const server = new Server();
    const service = transport.loadProto().lf.a2a.v1.A2AService;
    server.addService(service.service, (await transport.createService(service, 'A2AService')) as never);
    const port = await new Promise<number>((resolve) =>
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_, bound) => resolve(bound)),
    );
    const { code, errorInfo } = await connect(`127.0.0.1:${port}`).unary('GetTask', { id: 't-1' });
    server.forceShutdown();
    expect(code).toBe(status.INTERNAL);
    expect(errorInfo?.reason).toBe('INTERNAL');
    expect(host.requests.received).toEqual([]);
  });
});
