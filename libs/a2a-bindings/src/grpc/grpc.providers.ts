import { type ModuleMetadata } from '@nestjs/common';
import { GrpcCallGate } from './grpc.call-gate.js';
import { GrpcCallReader } from './grpc.call-reader.js';
import { GrpcController } from './grpc.controller.js';
import { GrpcExceptionFilter } from './grpc.exception-filter.js';
import { GrpcFailures } from './grpc.failures.js';
import { GrpcStreams } from './grpc.stream.js';

/** What a module takes in to be able to serve gRPC; `connectA2aGrpc` then serves it. Needs ErrorReporter and StreamRegistry beside it. */
export const GRPC_BINDING = {
  controllers: [GrpcController],
  providers: [GrpcCallGate, GrpcCallReader, GrpcExceptionFilter, GrpcFailures, GrpcStreams],
} satisfies ModuleMetadata;
