import { setTimeout as sleep } from 'node:timers/promises';

/** Time as a port, so that leases, limits and back-off can be tested without waiting. */
export abstract class Clock {
  /** Unix epoch, milliseconds. */
  abstract now(): number;

  /** @throws the reason of `signal` when it aborts first */
  abstract sleep(ms: number, signal?: AbortSignal): Promise<void>;

  /**
   * Calls `wake` when the time is over. For waits that mostly end before that: an aborted sleep costs an error.
   *
   * @returns a function that calls it off
   */
  after(ms: number, wake: () => void): () => void {
    const off = new AbortController();
    this.sleep(ms, off.signal).then(wake, () => undefined);
    return () => off.abort();
  }
}

/** The time of this machine. */
export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await sleep(ms, undefined, { signal });
  }

  override after(ms: number, wake: () => void): () => void {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  }
}
