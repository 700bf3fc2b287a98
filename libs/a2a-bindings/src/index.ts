// ---- gRPC
export { connectA2aGrpc } from './grpc/connect-grpc.js';
export { type A2aGrpcOptions, type GrpcTlsOptions } from './grpc/grpc.options.js';
export { GRPC_BINDING } from './grpc/grpc.providers.js';
export { GrpcTransport } from './grpc/grpc.transport.js';

// ---- For those who write bindings
export { ErrorReporter } from './error-reporter.js';
export { StreamRegistry } from './streams/stream-registry.js';
