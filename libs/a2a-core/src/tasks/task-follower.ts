import { type TaskEvent } from './task-event.js';
import { type TaskTail } from './task-tail.js';

/** The stored log of one task, and what is kept of it in memory while somebody reads it. */
export interface FollowedLog {
  /** Opens the tail, or joins those who hold it. */
  hold(): TaskTail;
  /** Some events behind a version; empty when there are none. */
  read(afterVersion: number): Promise<readonly TaskEvent[]>;
  /** The task has not been deleted. */
  isThere(): Promise<boolean>;
}

const END = { done: true, value: undefined } as const;

/**
 * Reads the events of one task behind a version, as they come.
 *
 * - Ends with the task's last event, when the task is deleted, when the reader leaves and when `signal` aborts. The end is quiet.
 * - Reads the store only for what the tail cannot tell, so that a thousand readers cost the store what one does.
 */
export class TaskFollower implements AsyncIterator<TaskEvent, undefined> {
  #tail?: TaskTail;
  #events: readonly TaskEvent[] = [];
  #next = 0;
  #isOver = false;
  #wake?: () => void;

  /** @param all what clients said too */
  constructor(
    private readonly log: FollowedLog,
    private version: number,
    private readonly signal: AbortSignal,
    private readonly all: boolean,
  ) {}

  async next(): Promise<IteratorResult<TaskEvent, undefined>> {
    const tail = (this.#tail ??= this.#begin());
    while (!this.#isOver) {
      const event = this.#events[this.#next];
      if (!event) {
        await this.#more(tail);
        continue;
      }
      this.#next += 1;
      this.version = event.version;
      if (event.endsTask) this.#end();
      if (this.all || event.isPublic) return { done: false, value: event };
    }
    return END;
  }

  async return(): Promise<IteratorResult<TaskEvent, undefined>> {
    this.#end();
    return END;
  }

  #begin(): TaskTail {
    const tail = this.log.hold();
    tail.holders += 1;
    this.signal.addEventListener('abort', this.#end, { once: true });
    if (this.signal.aborted) this.#isOver = true;
    return tail;
  }

  async #more(tail: TaskTail): Promise<void> {
    const events = tail.after(this.version) ?? (await this.#read(tail));
    this.#events = events;
    this.#next = 0;
    if (events.length > 0) return;
    if (tail.isOver || (tail.version > this.version && !(await this.log.isThere()))) return this.#end();
    if (tail.version <= this.version) await this.#changed(tail);
  }

  async #read(tail: TaskTail): Promise<readonly TaskEvent[]> {
    const events = await this.log.read(this.version);
    tail.push(events);
    if (events.length === 0) tail.startAt(this.version);
    return events;
  }

  #changed(tail: TaskTail): Promise<void> | undefined {
    if (this.#isOver) return undefined;
    return new Promise((resolve) => {
      this.#wake = resolve;
      tail.wait(resolve);
    });
  }

  readonly #end = (): void => {
    if (this.#isOver) return;
    this.#isOver = true;
    this.signal.removeEventListener('abort', this.#end);
    if (!this.#tail) return;
    this.#tail.holders -= 1;
    if (this.#wake) this.#tail.stopWaiting(this.#wake);
    this.#wake?.();
  };
}
