import { type Clock } from '../clock.js';
import { leave } from './leave.js';

/** What a timer of Node can count. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The same items up to a time; then the reader gets `reason`, even while it waits for an item, and the source is told that nobody reads.
 *
 * @param atMs Unix epoch, milliseconds
 */
export function failingAt<T>(items: AsyncIterable<T>, atMs: number, clock: Clock, reason: () => Error): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<T> {
      const iterator = items[Symbol.asyncIterator]();
      const over = new AbortController();
      let failure: Error | undefined;
      let failReader: (error: Error) => void = () => {};
      const fail = (): void => {
        failure = reason();
        failReader(failure);
        leave(iterator);
      };
      untilTime(atMs, clock, over.signal).then(fail, () => undefined);
      return {
        next: () =>
          new Promise((resolve, reject) => {
            if (failure) return reject(failure);
            failReader = reject;
            const end = (): void => over.abort();
            iterator.next().then(
              (result) => {
                if (result.done) end();
                resolve(result);
              },
              (error: unknown) => {
                end();
                reject(error);
              },
            );
          }),
        return: async () => {
          over.abort();
          return (await iterator.return?.()) ?? { done: true, value: undefined };
        },
      };
    },
  };
}

async function untilTime(atMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let left = atMs - clock.now(); left > 0; left = atMs - clock.now()) {
    await clock.sleep(Math.min(left, LONGEST_TIMER_MS), signal);
  }
}
