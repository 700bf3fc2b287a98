import { once } from 'node:events';
import { type Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Observable, type Subscriber } from 'rxjs';
import { type StreamItem, UnavailableError } from '@a2a/a2a-core';
import { StreamRegistry } from '../streams/stream-registry.js';

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
   * - Ends the iteration, and with it the reading, as soon as Nest unsubscribes: on cancel, deadline or a lost connection.
   * - Fails as UNAVAILABLE when the host stops, or when the reader takes nothing for `slowReaderTimeoutMs`. Clients subscribe again.
   */
  observe(items: AsyncIterable<StreamItem>, call: Writable, slowReaderTimeoutMs: number): Observable<StreamItem> {
    return new Observable((subscriber) => {
      const iterator = items[Symbol.asyncIterator]();
      const ended = new AbortController();
      const forget = this.registry.add(() => subscriber.error(new UnavailableError('This host is stopping')));
      void pump(iterator, subscriber, () => drained(call, subscriber, slowReaderTimeoutMs, ended.signal));
      return () => {
        forget();
        ended.abort();
        iterator.return?.().catch(() => undefined);
      };
    });
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
function drained(call: Writable, subscriber: Subscriber<StreamItem>, timeoutMs: number, ended: AbortSignal): Promise<void> | undefined {
  if (!call.writableNeedDrain) return undefined;
  const timer = setTimeout(() => subscriber.error(new UnavailableError(`Nothing was read for ${timeoutMs} ms`)), timeoutMs);
  const settle = () => clearTimeout(timer);
  return once(call, 'drain', { signal: ended }).then(settle, settle);
}
