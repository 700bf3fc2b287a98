import { type Metadata, ServerInterceptingCall, type ServerInterceptor, ServerListenerBuilder } from '@grpc/grpc-js';
import { Injectable } from '@nestjs/common';
import { A2AService, CallAuthenticator, RateLimits, UnavailableError } from '@a2a/a2a-core';
import { StreamRegistry } from '../streams/stream-registry.js';
import { GrpcCallReader } from './grpc.call-reader.js';
import { RefusedRequest } from './grpc.codec.js';
import { GrpcFailures } from './grpc.failures.js';
import { type GrpcSettings } from './grpc.options.js';

/** One for all calls: abort() alone makes an exception with a stack for each, and every call ends. */
const CALL_ENDED = new Error('The call has ended');

const A2A_PATH = `/${A2AService.typeName}/`;

/**
 * What every call passes before anything of it is decoded: the size of its metadata, then who calls, and whether too often.
 *
 * Nest's guards come too late for that: grpc-js has read and decoded the message before Nest sees a call.
 */
@Injectable()
export class GrpcCallGate {
  constructor(
    private readonly authenticator: CallAuthenticator,
    private readonly reader: GrpcCallReader,
    private readonly failures: GrpcFailures,
    private readonly streams: StreamRegistry,
    private readonly rates: RateLimits,
  ) {}

  /** For `interceptors` of a grpc-js server. Health and reflection need no credentials; a host that stops hangs up on their streams. */
  interceptor(settings: GrpcSettings): ServerInterceptor {
    return ({ path }, call) => {
      const gone = new AbortController();
      const isOpen = !path.startsWith(A2A_PATH);
      const refuse = (error: unknown) => call.sendStatus(this.failures.describe(error, path));
      const forget = isOpen ? this.streams.add(() => refuse(stopping())) : undefined;

      const enter = async (metadata: Metadata): Promise<void> => {
        const seed = this.reader.seed(metadata, call, gone.signal, settings);
        if (isOpen) return;
        if (this.streams.closing) throw stopping();
        await this.rates.beforeCredentials(seed);
        const incoming = await this.authenticator.identify(seed);
        await this.rates.beforeBody(incoming);
        this.reader.remember(metadata, { incoming, settings });
      };

      const listener = new ServerListenerBuilder()
        .withOnReceiveMetadata((metadata, next) => void enter(metadata).then(() => next(metadata), refuse))
        .withOnReceiveMessage((message: unknown, next) => (message instanceof RefusedRequest ? refuse(message.error) : next(message)))
        .withOnCancel(() => {
          gone.abort(CALL_ENDED);
          forget?.();
        })
        .build();
      return new ServerInterceptingCall(call, { start: (next) => next(listener) });
    };
  }
}

function stopping(): UnavailableError {
  return new UnavailableError('This host is stopping');
}
