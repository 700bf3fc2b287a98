import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { A2aLogger } from '../logging.js';
import { TaskNotFoundError } from '../protocol/errors.js';
import { KnownFolds } from './known-folds.js';
import { type LoadedTask } from './loaded-task.js';
import { type TaskEvent } from './task-event.js';
import { TaskEventBus } from './task-event-bus.js';
import { type FollowedLog, TaskFollower } from './task-follower.js';
import { type TaskChange, type TaskHead, TaskRepository } from './task-repository.js';
import { type TaskScope, taskKey } from './task-scope.js';
import { READ_AHEAD, TaskTails } from './task-tails.js';

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
  readonly #known = new KnownFolds();
  readonly #tails: TaskTails;

  constructor(
    private readonly repository: TaskRepository,
    private readonly bus: TaskEventBus,
    logger: A2aLogger,
  ) {
    this.#tails = new TaskTails(repository, bus, logger);
  }

  /** Lets go of every reader. */
  onApplicationShutdown(): void {
    this.#tails.stop();
  }

  /** As `TaskRepository.commit`; then wakes the readers. */
  async append(scope: TaskScope, change: TaskChange, expectedVersion: number): Promise<number> {
    const version = await this.repository.commit(scope, change, expectedVersion);
    const key = taskKey(scope, change.taskId);
    this.#known.learn(key, change.events, expectedVersion);
    this.#tails.push(key, change.events);
    this.bus.wake(key, version);
    return version;
  }

  /** Keeps the first events of a task that is about to begin for a reader that comes within a second, so that it need not read them back. */
  expectReader(scope: TaskScope, taskId: string): void {
    // Nothing can have been written yet, so there is nothing to look for.
    if (!this.#tails.find(taskKey(scope, taskId))) this.#tails.hold(scope, taskId).startAt(0);
  }

  /** As `TaskRepository.delete`; then lets go of the readers. */
  async delete(scope: TaskScope, taskIds: readonly string[]): Promise<number> {
    const deleted = await this.repository.delete(scope, taskIds);
    for (const taskId of taskIds) {
      const key = taskKey(scope, taskId);
      this.#known.forget(key);
      this.#tails.end(key);
    }
    return deleted;
  }

  /** @throws {TaskNotFoundError} when the scope has no such task, foreign or absent alike (A2A §3.3.2) */
  async get(scope: TaskScope, taskId: string): Promise<LoadedTask> {
    const loaded = await this.load(scope, taskId);
    if (!loaded) throw new TaskNotFoundError(taskId);
    return loaded;
  }

  /** As `get`; undefined when the scope has no such task. */
  async load(scope: TaskScope, taskId: string): Promise<LoadedTask | undefined> {
    const key = taskKey(scope, taskId);
    const known = this.#known.find(key);
    const stored = await this.repository.find(scope, taskId, known?.version ?? 0);
    if (stored) return this.#known.load(key, known, stored);
    this.#known.forget(key);
    return undefined;
  }

  /** Tasks in the order of `heads`; one that vanished meanwhile is left out. */
  async loadMany(scope: TaskScope, heads: readonly TaskHead[]): Promise<LoadedTask[]> {
    const known = new Map(heads.map(({ taskId }) => [taskId, this.#known.find(taskKey(scope, taskId))]));
    const wanted = heads.map(({ taskId }) => ({ taskId, knownVersion: known.get(taskId)?.version ?? 0 }));
    const stored = new Map((await this.repository.findMany(scope, wanted)).map((task) => [task.head.taskId, task]));
    return heads.flatMap(({ taskId }) => {
      const found = stored.get(taskId);
      return found ? [this.#known.load(taskKey(scope, taskId), known.get(taskId), found)] : [];
    });
  }

  /**
   * The public events behind `afterVersion`, as they come, until the task is terminal.
   *
   * @param signal ends the reading quietly
   * @param all what clients said too, for readers that keep account of versions
   */
  follow(scope: TaskScope, taskId: string, afterVersion: number, signal: AbortSignal, all = false): AsyncIterable<TaskEvent> {
    const log: FollowedLog = {
      hold: () => this.#tails.hold(scope, taskId),
      read: (version) => this.repository.readEvents(scope, taskId, version, READ_AHEAD),
      isThere: async () => (await this.repository.find(scope, taskId, Number.MAX_SAFE_INTEGER)) !== undefined,
    };
    return { [Symbol.asyncIterator]: () => new TaskFollower(log, afterVersion, signal, all) };
  }
}
