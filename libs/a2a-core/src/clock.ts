import { setTimeout as sleep } from 'node:timers/promises';

/** Time as a port, so that leases, limits and back-off can be tested without waiting. */
export abstract class Clock {
  /** Unix epoch, milliseconds. */
  abstract now(): number;

  /** @throws the reason of `signal` when it aborts first */
  abstract sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await sleep(ms, undefined, { signal });
  }
}
