import { once } from 'node:events';
import { type Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Observable, type Subscriber } from 'rxjs';
import { A2aError, type Principal, type StreamItem, UnavailableError } from '@a2a/a2a-core';
import { StreamRegistry } from '../streams/stream-registry.js';
import { type GrpcCall } from './grpc.call-reader.js';

/** What setTimeout can count. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Streams of items at the pace of their readers.
 *
 * Nest takes an Observable and queues what the reader does not take, without limit: 300 000 events in the first second. Here an item is
 * pulled once the one before it has gone out.
 */
@Injectable()
export class GrpcStreams {
  constructor(private readonly registry: StreamRegistry) {}

  /** @throws {A2aError} RATE_LIMITED when the process has no room for another stream */
  checkRoom({ settings }: GrpcCall): void {
    if (this.registry.size < settings.maxOpenStreams) return;
    throw new A2aError('RATE_LIMITED', 'Too many open streams', { retryAfterSeconds: 5 });
  }

  /**
   * - Ends the iteration, and with it the reading, as soon as Nest unsubscribes: on cancel, deadline or a lost connection.
   * - Fails as UNAVAILABLE when the host stops or the reader takes nothing for long, as UNAUTHENTICATED when the caller's credentials end.
   *   Clients subscribe again.
   */
  observe(items: AsyncIterable<StreamItem>, writable: Writable, { incoming, settings }: GrpcCall): Observable<StreamItem> {
    return new Observable((subscriber) => {
      const iterator = items[Symbol.asyncIterator]();
      const ended = new AbortController();
      const fail = (error: A2aError) => subscriber.error(error);
      const forget = this.registry.add(() => fail(new UnavailableError('This host is stopping')));
      const lifetime = expiry(incoming.principal, () => fail(new A2aError('UNAUTHENTICATED', 'The credentials have expired')));
      const ready = () => drained(writable, settings.slowReaderTimeoutMs, fail, ended.signal);
      void pump(iterator, subscriber, ready);
      return () => {
        forget();
        clearTimeout(lifetime);
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
function drained(writable: Writable, timeoutMs: number, fail: (error: A2aError) => void, ended: AbortSignal): Promise<void> | undefined {
  if (!writable.writableNeedDrain) return undefined;
  const timer = setTimeout(() => fail(new UnavailableError(`Nothing was read for ${timeoutMs} ms`)), timeoutMs);
  const settle = () => clearTimeout(timer);
  return once(writable, 'drain', { signal: ended }).then(settle, settle);
}

function expiry({ expiresAtMs }: Principal, end: () => void): NodeJS.Timeout | undefined {
  return expiresAtMs === undefined ? undefined : setTimeout(end, Math.min(Math.max(0, expiresAtMs - Date.now()), LONGEST_TIMER_MS));
}
