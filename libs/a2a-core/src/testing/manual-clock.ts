import { Clock } from '../clock.js';

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/** Time that passes when a test says so; whoever sleeps wakes in order. */
export class ManualClock extends Clock {
  readonly #sleepers = new Set<Sleeper>();

  constructor(private nowMs = Date.parse('2026-11-30T12:00:00Z')) {
    super();
  }

  now(): number {
    return this.nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const giveUp = (): void => {
        this.#sleepers.delete(sleeper);
        reject(signal?.reason as Error);
      };
      const wake = (): void => {
        signal?.removeEventListener('abort', giveUp);
        this.#sleepers.delete(sleeper);
        resolve();
      };
      const sleeper: Sleeper = { atMs: this.nowMs + ms, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Lets time pass. Between one sleeper and the next all work that does not wait for time is done. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    for (;;) {
      await settled();
      const [next] = [...this.#sleepers].toSorted((a, b) => a.atMs - b.atMs);
      if (!next || next.atMs > untilMs) break;
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.wake();
    }
    this.nowMs = untilMs;
  }

  /** Lets time pass, a second after the other, until `work` has ended. */
  async advanceUntil<T>(work: Promise<T>): Promise<T> {
    const pending = new Set([work]);
    const end = (): boolean => pending.delete(work);
    work.then(end, end);
    while (pending.size > 0) await this.advance(1_000);
    return work;
  }
}

/** Enough turns of the event loop for work that waits for nothing outside this process. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await new Promise(setImmediate);
}
