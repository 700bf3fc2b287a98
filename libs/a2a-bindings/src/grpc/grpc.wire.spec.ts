import { grpcSettings, type GrpcTlsOptions } from './grpc.options.js';
import { type GrpcTransport } from './grpc.transport.js';
import { GrpcWire } from './grpc.wire.js';

function wireWith(tls?: GrpcTlsOptions): GrpcWire {
  return new GrpcWire(grpcSettings({ url: '0.0.0.0:443', tls }), { port: 443 } as GrpcTransport, 'https://agents.example');
}

describe('what callers can send over gRPC', () => {
  it.each(['authorization', 'x-api-key', 'cookie', 'api_key', 'key.v2', 'x-bin-key'])('an entry called %s', (name) => {
    expect(wireWith().credentials.header(name)).toBe(true);
  });

  it.each(['x-key-bin', 'grpc-key', 'api~key', 'X-API-Key', 'a b', ''])('no entry called "%s"', (name) => {
    expect(wireWith().credentials.header(name)).toBe(false);
  });

  it('certificates where their authorities are known', () => {
    const tls = { certFile: 'cert.pem', keyFile: 'key.pem' };
    expect(wireWith().credentials.certificates).toBe(false);
    expect(wireWith(tls).credentials.certificates).toBe(false);
    expect(wireWith({ ...tls, clientCaFile: 'ca.pem' }).credentials.certificates).toBe(true);
  });
});
