const EVERY_MS = 10 * 60 * 1000;
/** Short deletes, so that no writer waits long for one. */
const AT_ONCE = 1_000;

/** Removes now and then what nobody can reach any more: expired receipts, and the rest of deleted tasks. Correctness never depends on it. */
export class Housekeeping {
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  /** @param forget removes at most `limit` rows and tells how many */
  constructor(private readonly forget: (limit: number) => Promise<number>) {
    this.#timer = setInterval(() => {
      this.#running = this.sweep().catch(() => undefined);
    }, EVERY_MS).unref();
  }

  async sweep(): Promise<void> {
    while (!this.#stopped && (await this.forget(AT_ONCE)) === AT_ONCE);
  }

  /** Resolves when a sweep that runs has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }
}
