import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Task } from '../gen/a2a_pb.js';
import { A2aLogger } from '../logging.js';
import { type TaskEvent } from './task-event.js';
import { TaskEventBus } from './task-event-bus.js';
import { type FollowedLog, TaskFollower } from './task-follower.js';
import { TaskFold } from './task-fold.js';
import { type StoredTask, type TaskChange, type TaskHead, TaskRepository } from './task-repository.js';
import { type TaskScope, taskKey } from './task-scope.js';
import { TaskTail } from './task-tail.js';

const CACHED_TASKS = 128;
const READ_AHEAD = 256;
const LOOK_AGAIN_MS = 1_000;
/** Looks without a find after which it is asked whether the task is still there. */
const LOOKS_UNTIL_DOUBT = 10;

interface OpenTail {
  readonly tail: TaskTail;
  readonly catchUp: () => void;
  readonly unsubscribe: () => void;
}

/** A task as its log says, at one version. */
export interface LoadedTask {
  readonly head: TaskHead;
  /** Shared with other readers: never change it. */
  readonly task: Task;
}

/**
 * Reads and extends the logs of tasks; the only way the rest of the core reaches the repository's events.
 *
 * - What `append` has resolved for is seen by every later `load` and `follow`.
 * - `follow` gives every event behind a version once, in order, without holes, however slow the reader is.
 * - A lost wake-up costs a reader at most a second.
 * - Readers of a task that is deleted are let go: at once in this process, within seconds in others.
 */
@Injectable()
export class TaskEventLog implements OnApplicationShutdown {
  readonly #folds = new Map<string, TaskFold>();
  readonly #tails = new Map<string, OpenTail>();
  #timer?: NodeJS.Timeout;
  #isStopped = false;

  constructor(
    private readonly repository: TaskRepository,
    private readonly bus: TaskEventBus,
    private readonly logger: A2aLogger,
  ) {}

  /** Lets go of every reader. */
  onApplicationShutdown(): void {
    this.#isStopped = true;
    for (const key of this.#tails.keys()) this.#letGo(key);
    clearInterval(this.#timer);
  }

  /** As `TaskRepository.commit`; then wakes the readers. */
  async append(scope: TaskScope, change: TaskChange, expectedVersion: number): Promise<number> {
    const version = await this.repository.commit(scope, change, expectedVersion);
    const key = taskKey(scope, change.taskId);
    this.#learn(key, change.events, expectedVersion);
    this.#tails.get(key)?.tail.push(change.events);
    this.bus.wake(key, version);
    return version;
  }

  /** Keeps the first events of a task that is about to begin for a reader that comes within a second, so that it need not read them back. */
  expectReader(scope: TaskScope, taskId: string): void {
    const key = taskKey(scope, taskId);
    // Nothing can have been written yet, so there is nothing to look for.
    if (!this.#tails.has(key)) this.#openTail(key, scope, taskId).startAt(0);
  }

  /** As `TaskRepository.delete`; then lets go of the readers. */
  async delete(scope: TaskScope, taskIds: readonly string[]): Promise<number> {
    const deleted = await this.repository.delete(scope, taskIds);
    for (const taskId of taskIds) {
      const key = taskKey(scope, taskId);
      this.#folds.delete(key);
      this.#letGo(key);
    }
    return deleted;
  }

  async load(scope: TaskScope, taskId: string): Promise<LoadedTask | undefined> {
    const key = taskKey(scope, taskId);
    const known = this.#folds.get(key);
    const stored = await this.repository.find(scope, taskId, known?.version ?? 0);
    if (stored) return this.#fold(key, known, stored);
    this.#folds.delete(key);
    return undefined;
  }

  /** Tasks in the order of `heads`; one that vanished meanwhile is left out. */
  async loadMany(scope: TaskScope, heads: readonly TaskHead[]): Promise<LoadedTask[]> {
    const known = new Map(heads.map(({ taskId }) => [taskId, this.#folds.get(taskKey(scope, taskId))]));
    const wanted = heads.map(({ taskId }) => ({ taskId, knownVersion: known.get(taskId)?.version ?? 0 }));
    const stored = new Map((await this.repository.findMany(scope, wanted)).map((task) => [task.head.taskId, task]));
    return heads.flatMap(({ taskId }) => {
      const found = stored.get(taskId);
      return found ? [this.#fold(taskKey(scope, taskId), known.get(taskId), found)] : [];
    });
  }

  /**
   * The public events behind `afterVersion`, as they come, until the task is terminal.
   *
   * @param signal ends the reading quietly
   * @param all what clients said too, for readers that keep account of versions
   */
  follow(scope: TaskScope, taskId: string, afterVersion: number, signal: AbortSignal, all = false): AsyncIterable<TaskEvent> {
    const key = taskKey(scope, taskId);
    const log: FollowedLog = {
      hold: () => this.#tails.get(key)?.tail ?? this.#openTail(key, scope, taskId),
      read: (version) => this.repository.readEvents(scope, taskId, version, READ_AHEAD),
      isThere: async () => (await this.repository.find(scope, taskId, Number.MAX_SAFE_INTEGER)) !== undefined,
    };
    return { [Symbol.asyncIterator]: () => new TaskFollower(log, afterVersion, signal, all) };
  }

  #openTail(key: string, scope: TaskScope, taskId: string): TaskTail {
    const tail = new TaskTail();
    if (this.#isStopped) {
      tail.end();
      return tail;
    }
    const catchUp = (): void => void this.#catchUp(tail, scope, taskId);
    const unsubscribe = this.bus.subscribe(key, (version) => version > tail.version && catchUp());
    this.#tails.set(key, { tail, catchUp, unsubscribe });
    this.#timer ??= setInterval(() => this.#lookAgain(), LOOK_AGAIN_MS).unref();
    return tail;
  }

  /** Heals lost wake-ups, and lets go of tails that nobody holds. */
  #lookAgain(): void {
    for (const [key, { tail, catchUp, unsubscribe }] of this.#tails) {
      if (tail.holders > 0) {
        catchUp();
      } else {
        unsubscribe();
        this.#tails.delete(key);
      }
    }
    if (this.#tails.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Another process wrote, or a wake-up was lost. */
  async #catchUp(tail: TaskTail, scope: TaskScope, taskId: string): Promise<void> {
    try {
      const events = tail.version === 0 ? [] : await this.repository.readEvents(scope, taskId, tail.version, READ_AHEAD);
      tail.push(events);
      tail.vainLooks = events.length > 0 ? 0 : tail.vainLooks + 1;
      if (tail.vainLooks === LOOKS_UNTIL_DOUBT && !(await this.#isThere(tail, scope, taskId))) this.#letGo(taskKey(scope, taskId));
      tail.vainLooks %= LOOKS_UNTIL_DOUBT;
    } catch (error) {
      this.logger.warn('Could not look for new events', { taskId, error });
    }
  }

  /** The task was deleted: nothing of it stays in memory. */
  #letGo(key: string): void {
    const open = this.#tails.get(key);
    this.#tails.delete(key);
    open?.unsubscribe();
    open?.tail.end();
  }

  async #isThere({ version }: TaskTail, scope: TaskScope, taskId: string): Promise<boolean> {
    return (await this.repository.find(scope, taskId, version)) !== undefined;
  }

  /** What was written here need not be read back. */
  #learn(key: string, events: readonly TaskEvent[], behind: number): void {
    const known = this.#folds.get(key);
    if (behind === 0) this.#keep(key, TaskFold.from(events));
    else if (known?.version === behind) for (const event of events) known.apply(event);
    else this.#folds.delete(key);
  }

  #fold(key: string, known: TaskFold | undefined, stored: StoredTask): LoadedTask {
    const fold = this.#advance(known, stored);
    this.#keep(key, fold);
    return { head: stored.head, task: fold.share() };
  }

  #keep(key: string, fold: TaskFold): void {
    this.#folds.delete(key);
    this.#folds.set(key, fold);
    for (const oldest of this.#folds.keys()) {
      if (this.#folds.size <= CACHED_TASKS) break;
      this.#folds.delete(oldest);
    }
  }

  #advance(known: TaskFold | undefined, { snapshot, events }: StoredTask): TaskFold {
    const first = events[0]?.version;
    const fold = snapshot && (!known || known.version < snapshot.version) ? new TaskFold(snapshot.task, snapshot.version) : known;
    if (!fold) return TaskFold.from(events);
    if (first !== undefined && first > fold.version + 1) throw new Error(`Hole in a task log before version ${first}`);
    for (const event of events) if (event.version > fold.version) fold.apply(event);
    return fold;
  }
}
