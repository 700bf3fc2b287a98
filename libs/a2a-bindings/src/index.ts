// ---- For those who set up a host
export { A2aBindingsModule } from './a2a-bindings.module.js';
export { type A2aBindingsOptions, type CorsOptions, type HttpLimits } from './a2a-bindings.options.js';
export { A2A_FASTIFY_OPTIONS } from './http-adapters/fastify.setup.js';
export { connectA2aGrpc } from './grpc/connect-grpc.js';
export { type A2aGrpcOptions, type GrpcTlsOptions } from './grpc/grpc.options.js';
export { GRPC_BINDING } from './grpc/grpc.providers.js';
export { GrpcTransport } from './grpc/grpc.transport.js';

// ---- For those who write bindings
export { A2aBinding, type BindingParts } from './a2a-binding.decorator.js';
export { CallReader } from './call-reader.js';
export { errorDetails, errorDomain } from './error-details.js';
export { ErrorReporter } from './error-reporter.js';
export { invokeStream, invokeUnary } from './invoke-operation.js';
export { StreamRegistry } from './streams/stream-registry.js';
