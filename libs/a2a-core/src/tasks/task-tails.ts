import { type A2aLogger } from '../logging.js';
import { type TaskEvent } from './task-event.js';
import { type TaskEventBus } from './task-event-bus.js';
import { type TaskRepository } from './task-repository.js';
import { type TaskScope, taskKey } from './task-scope.js';
import { TaskTail } from './task-tail.js';

/** Events that are read from the store at once. */
export const READ_AHEAD = 256;
const LOOK_AGAIN_MS = 1_000;
/** Looks without a find after which it is asked whether the task is still there. */
const LOOKS_UNTIL_DOUBT = 10;

interface OpenTail {
  readonly tail: TaskTail;
  readonly catchUp: () => void;
  readonly unsubscribe: () => void;
}

/**
 * The tails of all tasks that somebody reads.
 *
 * - A tail hears of what this process writes, is woken when another one writes, and looks again once a second in case a wake-up was lost.
 * - A tail that nobody holds is closed within a second.
 * - The tail of a task that is deleted ends: at once in this process, within seconds in others.
 */
export class TaskTails {
  readonly #open = new Map<string, OpenTail>();
  #timer?: NodeJS.Timeout;
  #isStopped = false;

  constructor(
    private readonly repository: TaskRepository,
    private readonly bus: TaskEventBus,
    private readonly logger: A2aLogger,
  ) {}

  find(key: string): TaskTail | undefined {
    return this.#open.get(key)?.tail;
  }

  /** Opens the tail of a task, or joins those who hold it. Already over when the process stops. */
  hold(scope: TaskScope, taskId: string): TaskTail {
    const key = taskKey(scope, taskId);
    return this.find(key) ?? this.#openTail(key, scope, taskId);
  }

  push(key: string, events: readonly TaskEvent[]): void {
    this.find(key)?.push(events);
  }

  /** Ends the tail: nothing of the task stays in memory. */
  end(key: string): void {
    const open = this.#open.get(key);
    this.#open.delete(key);
    open?.unsubscribe();
    open?.tail.end();
  }

  /** Ends every tail, now and later. */
  stop(): void {
    this.#isStopped = true;
    for (const key of this.#open.keys()) this.end(key);
    clearInterval(this.#timer);
  }

  #openTail(key: string, scope: TaskScope, taskId: string): TaskTail {
    const tail = new TaskTail();
    if (this.#isStopped) {
      tail.end();
      return tail;
    }
    const catchUp = (): void => void this.#catchUp(tail, scope, taskId);
    const unsubscribe = this.bus.subscribe(key, (version) => version > tail.version && catchUp());
    this.#open.set(key, { tail, catchUp, unsubscribe });
    this.#timer ??= setInterval(() => this.#lookAgain(), LOOK_AGAIN_MS).unref();
    return tail;
  }

  /** Heals lost wake-ups, and closes tails that nobody holds. */
  #lookAgain(): void {
    for (const [key, { tail, catchUp, unsubscribe }] of this.#open) {
      if (tail.holders > 0) {
        catchUp();
      } else {
        unsubscribe();
        this.#open.delete(key);
      }
    }
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Another process wrote, or a wake-up was lost. */
  async #catchUp(tail: TaskTail, scope: TaskScope, taskId: string): Promise<void> {
    try {
      const events = tail.version === 0 ? [] : await this.repository.readEvents(scope, taskId, tail.version, READ_AHEAD);
      tail.push(events);
      tail.vainLooks = events.length > 0 ? 0 : tail.vainLooks + 1;
      if (tail.vainLooks === LOOKS_UNTIL_DOUBT && !(await this.#isThere(tail, scope, taskId))) this.end(taskKey(scope, taskId));
      tail.vainLooks %= LOOKS_UNTIL_DOUBT;
    } catch (error) {
      this.logger.warn('Could not look for new events', { taskId, error });
    }
  }

  async #isThere({ version }: TaskTail, scope: TaskScope, taskId: string): Promise<boolean> {
    return (await this.repository.find(scope, taskId, version)) !== undefined;
  }
}
