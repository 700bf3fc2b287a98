/** Longest stretch of work before other callers of the process get their turn. Milliseconds. */
const SLICE_MS = 5;
/** Units of work between two looks at the clock. */
const CHECK_EVERY = 1_024;

/**
 * Keeps a long analysis polite.
 *
 * - Work is counted in characters looked at, so that a test can see that it grows in step with the input, without a stop-watch.
 * - After a slice of about 5 ms the event loop turns once; a cancel is noticed at that moment.
 */
export class Pacer {
  #work = 0;
  #checkAt = CHECK_EVERY;
  #sliceStart = performance.now();

  constructor(private readonly signal?: AbortSignal) {}

  /** Characters looked at so far. */
  get work(): number {
    return this.#work;
  }

  /** Counts work. @returns true when it is time to `pause()` */
  spend(units: number): boolean {
    this.#work += units;
    if (this.#work < this.#checkAt) return false;
    this.#checkAt = this.#work + CHECK_EVERY;
    return performance.now() - this.#sliceStart >= SLICE_MS;
  }

  /** Lets the event loop turn. @throws the signal's reason once it has aborted */
  async pause(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.signal?.throwIfAborted();
    this.#sliceStart = performance.now();
  }
}

/** Calls `visit` for each item in order, pausing when it is time. `cost` is the work of one item, 64 characters unless told. */
export async function paced<T>(items: Iterable<T>, pacer: Pacer, visit: (item: T) => void, cost = 64): Promise<void> {
  for (const item of items) {
    visit(item);
    if (pacer.spend(cost)) await pacer.pause();
  }
}
