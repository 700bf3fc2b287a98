import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/**
 * The open streams of all wires. A host that stops ends them first, so that closing its servers does not wait for them.
 *
 * Ending a stream ends reading; the run behind it goes on as far as the host lets it.
 */
@Injectable()
export class StreamRegistry implements OnModuleDestroy {
  readonly #ends = new Set<() => void>();
  #closing = false;

  /** The host has begun to stop. */
  get closing(): boolean {
    return this.#closing;
  }

  /** Streams open now. */
  get size(): number {
    return this.#ends.size;
  }

  /**
   * @param end called once when the host stops, at once when it already does; the first added is called first
   * @returns to be called when the stream has ended by itself
   */
  add(end: () => void): () => void {
    if (this.#closing) end();
    else this.#ends.add(end);
    return () => void this.#ends.delete(end);
  }

  onModuleDestroy(): void {
    this.#closing = true;
    const ends = [...this.#ends];
    this.#ends.clear();
    for (const end of ends) end();
  }
}
