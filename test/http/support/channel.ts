import { once, EventEmitter } from 'node:events';
import { type StreamItem } from '@a2a/a2a-core';

/** A stream in a test's hands: what is pushed comes out, and leaving is noticed. */
export class Channel implements AsyncIterable<StreamItem> {
  readonly #bell = new EventEmitter();
  readonly #items: StreamItem[] = [];
  #outcome?: { readonly error?: unknown };
  #left = false;
  /** Items taken so far. */
  taken = 0;

  push(...items: StreamItem[]): void {
    this.#items.push(...items);
    this.#bell.emit('change');
  }

  end(error?: unknown): void {
    this.#outcome = { error };
    this.#bell.emit('change');
  }

  /** Resolves when the reader has called `return()`. */
  async left(): Promise<void> {
    if (!this.#left) await once(this.#bell, 'left');
  }

  [Symbol.asyncIterator](): AsyncIterator<StreamItem> {
    return {
      next: async () => {
        for (;;) {
          const value = this.#items.shift();
          if (value) {
            this.taken++;
            return { done: false, value };
          }
          if (this.#outcome?.error) throw this.#outcome.error;
          if (this.#outcome || this.#left) return { done: true, value: undefined };
          await Promise.race([once(this.#bell, 'change'), once(this.#bell, 'left')]);
        }
      },
      return: async () => {
        this.#left = true;
        this.#bell.emit('left');
        return { done: true, value: undefined };
      },
    };
  }
}
