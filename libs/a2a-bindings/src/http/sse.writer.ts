import { Injectable } from '@nestjs/common';
import { A2aError, type Answer, type IncomingCall, leave, type StreamItem } from '@a2a/a2a-core';
import { HttpSettings } from '../a2a-bindings.options.js';
import { ErrorReporter } from '../error-reporter.js';
import { StreamRegistry } from '../streams/stream-registry.js';
import { extensionsHeader } from './answer-headers.js';
import { type EventFraming, EventStream } from './event-stream.js';
import { type HttpExchange } from './http-exchange.js';
import { StreamOpening } from './stream-opening.js';

const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
} as const;

type StartStream = (call: IncomingCall) => Promise<Answer<AsyncIterable<StreamItem>>>;

/** Answers with Server-Sent Events (A2A §9.4.2, §11.7). */
@Injectable()
export class SseWriter {
  constructor(
    private readonly settings: HttpSettings,
    private readonly streams: StreamRegistry,
    private readonly errors: ErrorReporter,
  ) {}

  /**
   * Writes a stream to its end. Resolves when the connection is done with it, whoever ended it.
   *
   * Until the first item is there, nothing is sent: an error before it rejects and becomes an ordinary error of the wire. A later one
   * becomes the last frame. A reader that resumes gets its headers at once, since what it has not seen may not have happened yet.
   *
   * @throws {A2aError} RATE_LIMITED when the process has no room for another stream; UNAVAILABLE when the host stops before the first item
   */
  async write(exchange: HttpExchange, call: IncomingCall, start: StartStream, framing: EventFraming): Promise<void> {
    const { limits } = this.settings;
    if (this.streams.size >= limits.openStreams) {
      throw new A2aError('RATE_LIMITED', 'Too many open streams', { retryAfterSeconds: 5 });
    }
    const opening = new StreamOpening(exchange, call.lastEventVersion !== undefined, () => start(call));
    let end = () => opening.stop();
    const forget = this.streams.add(() => end());
    try {
      const { activatedExtensions, first, source } = await opening.opened;
      if (exchange.response.destroyed) return leave(source);
      exchange.response.writeHead(200, { ...exchange.headers, ...SSE_HEADERS, ...extensionsHeader(activatedExtensions) });
      if (!first) exchange.response.flushHeaders();
      const stream = new EventStream(exchange, source, framing, limits, (error) => this.errors.publish(error));
      end = () => stream.end();
      await stream.run(first);
    } finally {
      forget();
    }
  }
}
