import { type TaskEvent } from '../tasks/task-event.js';
import { type StreamItem } from './stream-item.js';

/** What follows the first item of a stream. */
export interface TaskStreamSource {
  readonly events: AsyncIterable<TaskEvent>;
  /** The event as this reader gets it. */
  view(event: TaskEvent): StreamItem;
  /** The stream ends with this event, though the task may go on. */
  isLast(event: TaskEvent): boolean;
}

const END = { done: true, value: undefined } as const;

/** The items of one stream. A hand-made iterator: a generator would learn of a reader that leaves only at its next event. */
export class TaskStream implements AsyncIterator<StreamItem, undefined> {
  readonly #events?: AsyncIterator<TaskEvent>;

  /** @param first comes before the events, if any */
  constructor(
    private readonly source: TaskStreamSource | undefined,
    private first?: StreamItem,
  ) {
    this.#events = source?.events[Symbol.asyncIterator]();
  }

  async next(): Promise<IteratorResult<StreamItem, undefined>> {
    if (this.first) {
      const value = this.first;
      this.first = undefined;
      return { done: false, value };
    }
    if (!this.source || !this.#events) return END;
    const result = await this.#events.next();
    if (result.done) return END;
    if (this.source.isLast(result.value)) void this.#events.return?.();
    return { done: false, value: this.source.view(result.value) };
  }

  async return(): Promise<IteratorResult<StreamItem, undefined>> {
    this.first = undefined;
    await this.#events?.return?.();
    return END;
  }
}
