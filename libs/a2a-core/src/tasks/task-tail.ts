import { type TaskEvent } from './task-event.js';

const KEPT_EVENTS = 512;

/**
 * The newest events of one task, kept in memory while somebody reads it, so that many readers cost one.
 *
 * Events are without holes. A reader that has fallen behind what is kept reads from the store.
 */
export class TaskTail {
  #events: TaskEvent[] = [];
  #base = 0;
  #isCurrent = false;
  #waiting = new Set<() => void>();

  /** How many readers hold this tail. */
  holders = 0;

  /** The task was deleted: nothing follows. */
  isOver = false;

  /** How often somebody looked for more and found nothing. */
  vainLooks = 0;

  /** Version of the newest event that is known, kept or not; 0 when none is. */
  get version(): number {
    return this.#events.at(-1)?.version ?? this.#base;
  }

  /** Notes that a reader has looked and found nothing behind `version`: from now on the tail hears of whatever comes. */
  startAt(version: number): void {
    this.#isCurrent = true;
    if (this.#events.length === 0 && version > this.#base) this.#base = version;
  }

  /** Takes events that directly follow what is known; others start the tail anew. Already known ones are ignored. */
  push(events: readonly TaskEvent[]): void {
    const fresh = events.filter((event) => event.version > this.version);
    const [first] = fresh;
    if (!first) return;
    if (first.version !== this.version + 1) this.#events = [];
    for (const event of fresh) this.#events.push(event);
    if (this.#events.length > 2 * KEPT_EVENTS) this.#events = this.#events.slice(-KEPT_EVENTS);
    this.#wake();
  }

  /** Events behind `version`; undefined when only the store can tell, because they are not kept or nobody has looked yet. */
  after(version: number): readonly TaskEvent[] | undefined {
    if (version >= this.version) return version === this.version && this.#isCurrent ? [] : undefined;
    const [first] = this.#events;
    return first && first.version <= version + 1 ? this.#events.slice(version + 1 - first.version) : undefined;
  }

  /** Lets go of everybody who waits. Those who are behind still get what is kept. */
  end(): void {
    this.isOver = true;
    this.#wake();
  }

  /** Calls `wake` once, when something was pushed or the tail has ended. */
  wait(wake: () => void): void {
    this.#waiting.add(wake);
  }

  stopWaiting(wake: () => void): void {
    this.#waiting.delete(wake);
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const resolve of waiting) resolve();
  }
}
