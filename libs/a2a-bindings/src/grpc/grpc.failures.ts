import { status } from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import { RpcException } from '@nestjs/microservices';
import { A2aError, type A2aErrorReason, CallLog, findOperation, type UnhandledCall } from '@a2a/a2a-core';
import { ErrorReporter } from '../error-reporter.js';
import { type GrpcFailure, toGrpcFailure } from './grpc.errors.js';

/** What Nest throws in gRPC when a guard answers false. */
const GUARD_REFUSED = 'Forbidden resource';

/** What a status means that a team's guard, pipe or interceptor throws as RpcException. Others name nothing a client may act on. */
const FROM_STATUS: Readonly<Record<number, { reason: A2aErrorReason; message: string } | undefined>> = {
  [status.INVALID_ARGUMENT]: { reason: 'INVALID_REQUEST', message: 'Invalid request' },
  [status.DEADLINE_EXCEEDED]: { reason: 'REQUEST_TIMEOUT', message: 'The call took too long' },
  [status.PERMISSION_DENIED]: { reason: 'PERMISSION_DENIED', message: 'Permission denied' },
  [status.RESOURCE_EXHAUSTED]: { reason: 'RATE_LIMITED', message: 'Too many requests' },
  [status.UNAVAILABLE]: { reason: 'UNAVAILABLE', message: 'The service is not available right now' },
  [status.UNAUTHENTICATED]: { reason: 'UNAUTHENTICATED', message: 'Authentication required' },
};

/** A call as far as it is known without its message. */
export type BegunCall = Pick<UnhandledCall, 'signal' | 'owner' | 'startedAt'>;

/** Turns whatever was thrown into what the client sees; what only the host may see goes to the log. */
@Injectable()
export class GrpcFailures {
  constructor(
    private readonly reporter: ErrorReporter,
    private readonly log: CallLog,
  ) {}

  /**
   * A call that never got to its handler has its line in the log from here.
   *
   * @param path of the method, such as `/lf.a2a.v1.A2AService/GetTask`
   * @param call as far as it came; undefined for methods that are not ours
   */
  describe(thrown: unknown, path: string, call?: BegunCall): GrpcFailure {
    const operation = findOperation(path.slice(path.lastIndexOf('/') + 1));
    const error = this.reporter.publish(fromRpcException(thrown) ?? thrown);
    if (call) this.log.refused({ binding: 'GRPC', operation: operation?.name, ...call }, error);
    return toGrpcFailure(error, operation?.input);
  }
}

function fromRpcException(thrown: unknown): A2aError | undefined {
  if (!(thrown instanceof RpcException)) return undefined;
  const error = thrown.getError();
  const code = typeof error === 'object' && 'code' in error ? Number(error.code) : undefined;
  const known = FROM_STATUS[error === GUARD_REFUSED ? status.PERMISSION_DENIED : (code ?? status.UNKNOWN)];
  return known && new A2aError(known.reason, known.message, {}, { cause: thrown });
}
