import { type BeforeApplicationShutdown, Injectable, type OnModuleDestroy } from '@nestjs/common';

/**
 * The open streams of all wires, and when a host that stops ends them.
 *
 * 1. The host begins to stop: wires are told, so that balancers send nobody new. Calls are still answered, though the core begins no turn;
 *    streams stay open while it lets running turns end, so that their readers see how the tasks end.
 * 2. No turn runs any more: streams that are still open end, so that closing the servers does not wait for them.
 */
@Injectable()
export class StreamRegistry implements OnModuleDestroy, BeforeApplicationShutdown {
  readonly #ends = new Set<() => void>();
  readonly #listeners = new Set<() => void>();
  #closed = false;

  /** Streams open now. */
  get size(): number {
    return this.#ends.size;
  }

  /** @param listener called once when the host begins to stop */
  onClosing(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /**
   * @param end called once when no turn runs any more, at once when that is so already; the first added is called first
   * @returns to be called when the stream has ended by itself
   */
  add(end: () => void): () => void {
    if (this.#closed) end();
    else this.#ends.add(end);
    return () => void this.#ends.delete(end);
  }

  onModuleDestroy(): void {
    for (const listener of this.#listeners) listener();
  }

  beforeApplicationShutdown(): void {
    this.#closed = true;
    const ends = [...this.#ends];
    this.#ends.clear();
    for (const end of ends) end();
  }
}
