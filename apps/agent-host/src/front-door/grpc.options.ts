import { type A2aGrpcOptions } from '@a2a/a2a-bindings';
import { type HostConfig } from '../config/host.config.js';

/** The gRPC server as the front door has it: the same certificate, the same proxies, the same size of requests as HTTP. */
export function grpcOptions({ grpcAddress, publicGrpc, frontDoor: { tls }, trustedProxies, limits }: HostConfig): A2aGrpcOptions {
  return {
    url: grpcAddress,
    publicAddress: publicGrpc,
    tls: tls && { certFile: tls.certFile, keyFile: tls.keyFile, clientCaFile: tls.caFile, clientCertificates: 'welcome' },
    trustedProxies,
    maxMessageBytes: limits.requestBytes,
  };
}
