import { type INestApplication } from '@nestjs/common';
import { A2A_CORE_OPTIONS, type A2aCoreOptions, A2aLogger, AgentRegistry, WireRegistry } from '@a2a/a2a-core';
import { StreamRegistry } from '../streams/stream-registry.js';
import { GrpcCallGate } from './grpc.call-gate.js';
import { logGrpcThrough } from './grpc.logger.js';
import { type A2aGrpcOptions, grpcSettings } from './grpc.options.js';
import { GrpcTransport } from './grpc.transport.js';
import { GrpcWire } from './grpc.wire.js';

/**
 * Serves A2A over gRPC beside HTTP: cards list it, and `app.startAllMicroservices()` starts it. Call that before `app.listen()`, which makes
 * the cards, so that a port chosen by the system is in them.
 *
 * Guards, pipes and interceptors of the whole application apply to gRPC too.
 */
export function connectA2aGrpc(app: INestApplication, options: A2aGrpcOptions): GrpcTransport {
  const settings = grpcSettings(options, app.get(AgentRegistry, { strict: false }).agents);
  logGrpcThrough(app.get(A2aLogger, { strict: false }));
  const transport = new GrpcTransport(settings, app.get(GrpcCallGate, { strict: false }), app.get(StreamRegistry, { strict: false }));
  // Without inheritAppConfig a guard of the application (APP_GUARD) would not see gRPC calls.
  app.connectMicroservice({ strategy: transport }, { inheritAppConfig: true });
  const { publicUrl } = app.get<A2aCoreOptions>(A2A_CORE_OPTIONS, { strict: false });
  app.get(WireRegistry, { strict: false }).add(new GrpcWire(settings, transport, publicUrl));
  return transport;
}
