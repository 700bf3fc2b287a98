/**
 * Says that a task has new events. It may be late, repeat itself or be lost: readers also look on a timer.
 */
export abstract class TaskEventBus {
  /** @param key from `taskKey()` */
  abstract wake(key: string, version: number): void;

  /** @returns a function that ends the subscription */
  abstract subscribe(key: string, listener: (version: number) => void): () => void;

  /**
   * Hears of every task, for readers that follow many. What is heard of tasks that other processes write is up to the bus.
   *
   * @returns a function that ends the subscription
   */
  abstract subscribeAll(listener: (key: string, version: number) => void): () => void;
}

/** Wakes readers in this process only. */
export class InProcessTaskEventBus extends TaskEventBus {
  readonly #listeners = new Map<string, Set<(version: number) => void>>();
  readonly #listenersToAll = new Set<(key: string, version: number) => void>();

  wake(key: string, version: number): void {
    for (const listener of this.#listeners.get(key) ?? []) listener(version);
    for (const listener of this.#listenersToAll) listener(key, version);
  }

  subscribe(key: string, listener: (version: number) => void): () => void {
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key);
    };
  }

  subscribeAll(listener: (key: string, version: number) => void): () => void {
    this.#listenersToAll.add(listener);
    return () => void this.#listenersToAll.delete(listener);
  }
}
