import { once } from 'node:events';
import { type Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Observable, type Subscriber } from 'rxjs';
import { A2aError, leave, type StreamItem, UnavailableError } from '@a2a/a2a-core';
import { StreamRegistry } from '../streams/stream-registry.js';
import { type GrpcCall } from './grpc.call-reader.js';

/**
 * Streams of items at the pace of their readers.
 *
 * Nest takes an Observable and queues what the reader does not take, without limit: 300 000 events in the first second. Here an item is
 * pulled once the one before it has gone out.
 */
@Injectable()
export class GrpcStreams {
  constructor(private readonly registry: StreamRegistry) {}

  /**
   * Starts a stream and delivers its items.
   *
   * - Ends the iteration, and with it the reading, as soon as Nest unsubscribes: on cancel, deadline or a lost connection.
   * - Fails as UNAVAILABLE when the host stops or the reader takes nothing for long. Clients subscribe again.
   *
   * @throws {A2aError} RATE_LIMITED when the process has no room for another stream; whatever `start` rejects with; UNAVAILABLE when the
   * host stops before that
   */
  async open(call: GrpcCall, writable: Writable, start: () => Promise<AsyncIterable<StreamItem>>): Promise<Observable<StreamItem>> {
    const { incoming, settings } = call;
    if (this.registry.size >= settings.maxOpenStreams) {
      throw new A2aError('RATE_LIMITED', 'Too many open streams', { retryAfterSeconds: 5 });
    }
    const stopped = this.#untilStopped(incoming.signal);
    const items = await Promise.race([start(), stopped]);
    return new Observable((subscriber) => {
      const iterator = items[Symbol.asyncIterator]();
      const ended = new AbortController();
      const fail = (error: A2aError) => subscriber.error(error);
      void stopped.catch(fail);
      void pump(iterator, subscriber, () => drained(writable, settings.slowReaderTimeoutMs, fail, ended.signal));
      return () => {
        ended.abort();
        leave(iterator);
      };
    });
  }

  /** @returns a promise that rejects when the host stops while the call lasts */
  #untilStopped(gone: AbortSignal): Promise<never> {
    const stopped = new Promise<never>((_, reject) => {
      const forget = this.registry.add(() => reject(new UnavailableError('This host is stopping')));
      gone.addEventListener('abort', forget, { once: true });
      if (gone.aborted) forget();
    });
    stopped.catch(() => undefined);
    return stopped;
  }
}

async function pump(
  iterator: AsyncIterator<StreamItem>,
  subscriber: Subscriber<StreamItem>,
  ready: () => Promise<void> | undefined,
): Promise<void> {
  try {
    for (let next = await iterator.next(); !next.done && !subscriber.closed; next = await iterator.next()) {
      subscriber.next(next.value);
      await ready();
    }
    subscriber.complete();
  } catch (error) {
    subscriber.error(error);
  }
}

/** @returns a promise when the reader has to take something first; it settles when it has, or when the stream ended */
function drained(writable: Writable, timeoutMs: number, fail: (error: A2aError) => void, ended: AbortSignal): Promise<void> | undefined {
  if (!writable.writableNeedDrain) return undefined;
  const timer = setTimeout(() => fail(new UnavailableError(`Nothing was read for ${timeoutMs} ms`)), timeoutMs);
  const settle = () => clearTimeout(timer);
  return once(writable, 'drain', { signal: ended }).then(settle, settle);
}
