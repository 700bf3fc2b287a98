import { setLogger } from '@grpc/grpc-js';
import { type A2aLogger } from '@a2a/a2a-core';

/** Puts what grpc-js has to say into the host's log; it would write to standard error otherwise, each line in a shape of its own. */
export function logGrpcTo(logger: A2aLogger): void {
  const say = (level: 'debug' | 'warn') => (text: unknown) => logger[level]('gRPC', { text: String(text) });
  setLogger({ error: say('warn'), info: say('debug'), debug: say('debug') });
}
