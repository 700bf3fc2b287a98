import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  type ServerListener,
  ServerListenerBuilder,
} from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import { A2aError, A2AService, CallEntrance, UnavailableError } from '@a2a/a2a-core';
import { StreamRegistry } from '../streams/stream-registry.js';
import { type A2aRequest, GrpcCallReader } from './grpc.call-reader.js';
import { RefusedRequest } from './grpc.codec.js';
import { GrpcFailures } from './grpc.failures.js';
import { type GrpcSettings } from './grpc.options.js';

/** One for all calls: abort() alone makes an exception with a stack for each, and every call ends. */
const CALL_ENDED = new Error('The call has ended');

const A2A_PATH = `/${A2AService.typeName}/`;

/**
 * What every call passes before anything of it is decoded: the size of its metadata, then who calls and whether too often. A request has to arrive in
 * time, and to fit the agent it is for.
 *
 * Nest's guards come too late for that: grpc-js has read and decoded the message before Nest sees a call.
 */
@Injectable()
export class GrpcCallGate {
  constructor(
    private readonly entrance: CallEntrance,
    private readonly reader: GrpcCallReader,
    private readonly failures: GrpcFailures,
    private readonly streams: StreamRegistry,
  ) {}

  /** For `interceptors` of a grpc-js server. Health and reflection need no credentials; a host that stops hangs up on their streams. */
  interceptor(settings: GrpcSettings): ServerInterceptor {
    return ({ path }, call) => {
      const guarded = path.startsWith(A2A_PATH);
      return new ServerInterceptingCall(call, {
        start: (next) => next(guarded ? this.#guarded(call, path, settings) : this.#open(call, path, settings)),
      });
    };
  }

  #guarded(call: ServerInterceptingCallInterface, path: string, settings: GrpcSettings): ServerListener {
    const gone = new AbortController();
    const late = setTimeout(() => refuse(tooSlow()), settings.requestTimeoutMs);
    const startedAt = performance.now();
    let owner: string | undefined;
    let isOver = false;
    const refuse = (error: unknown): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(late);
      call.sendStatus(this.failures.describe(error, path, { signal: gone.signal, owner, startedAt }));
    };
    const enter = async (metadata: Metadata): Promise<void> => {
      const seed = this.reader.seed(metadata, call, gone.signal, settings);
      const incoming = await this.entrance.enter(seed);
      owner = incoming.principal.owner;
      this.reader.remember(metadata, { incoming, settings });
    };
    return new ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, next) => void enter(metadata).then(() => next(metadata), refuse))
      .withOnReceiveMessage((message: A2aRequest | RefusedRequest, next) => {
        clearTimeout(late);
        const error = message instanceof RefusedRequest ? message.error : this.reader.findExcess(message, settings);
        if (error) refuse(error);
        else next(message);
      })
      .withOnCancel(() => {
        clearTimeout(late);
        gone.abort(CALL_ENDED);
      })
      .build();
  }

  #open(call: ServerInterceptingCallInterface, path: string, settings: GrpcSettings): ServerListener {
    const refuse = (error: unknown): void => call.sendStatus(this.failures.describe(error, path));
    return new ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, next) => {
        const error = this.reader.findExcessOf(metadata, settings);
        if (error) refuse(error);
        else next(metadata);
      })
      .withOnCancel(this.streams.add(() => refuse(stopping())))
      .build();
  }
}

function tooSlow(): A2aError {
  return new A2aError('REQUEST_TIMEOUT', 'The request took too long to arrive');
}

function stopping(): UnavailableError {
  return new UnavailableError('This host is stopping');
}
