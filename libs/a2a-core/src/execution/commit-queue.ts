import { type JsonValue } from '@bufbuild/protobuf';
import { type StreamResponse, type Task } from '../gen/a2a_pb.js';
import { type Clock } from '../clock.js';
import { A2aError, TaskEndedError, TaskNotFoundError } from '../protocol/errors.js';
import { streamResponse, timestampMs } from '../protocol/events.js';
import { isInterrupted, isTerminal, taskStateName } from '../protocol/task-state.js';
import { TaskEvent } from '../tasks/task-event.js';
import { type LoadedTask } from '../tasks/loaded-task.js';
import { type TaskEventLog } from '../tasks/task-event-log.js';
import { TaskFold } from '../tasks/task-fold.js';
import { ConcurrentModification, DuplicateMessage, type MessageReceipt, type TaskChange } from '../tasks/task-repository.js';
import { SaidMessage } from './said-message.js';
import { isSnapshotDue } from './snapshot-rhythm.js';
import { type TaskRef } from './task-resumer.js';

const QUEUED_EVENTS = 64;

const LONGEST_RETRY_DELAY_MS = 5_000;

/** What committing reaches into. */
export interface CommitServices {
  readonly log: TaskEventLog;
  readonly clock: Clock;
  /** Id of this process, for recovery. */
  readonly runner: string;
  /** Aborts when the process gives up waiting for a store that is away. */
  readonly stopped: AbortSignal;
}

/**
 * Events of one task on their way into its log.
 *
 * - They are committed in the order they came; all that comes in one turn of the event loop is one commit.
 * - When another process wrote in between, what is queued goes behind it, unless the task has ended there.
 * - A store that is away is waited for: what was acknowledged must not be lost.
 */
export class CommitQueue {
  #fold?: TaskFold;
  #committed: number;
  #events: StreamResponse[] = [];
  #memos = new Map<string, JsonValue>();
  #firstReceipt?: MessageReceipt;
  #said?: SaidMessage;
  #flushing?: Promise<void>;
  #rebases = 0;

  constructor(
    private readonly services: CommitServices,
    private readonly ref: TaskRef,
    private readonly contextId: string,
    present?: { readonly task: Task; readonly version: number },
  ) {
    this.#committed = present?.version ?? 0;
    if (present) this.#fold = new TaskFold(present.task, present.version);
  }

  /** The task with everything that is queued. Shared: never change it. */
  get task(): Task | undefined {
    return this.#fold?.share();
  }

  get status(): Task['status'] {
    return this.#fold?.status;
  }

  /** Version of the last committed event. */
  get committedVersion(): number {
    return this.#committed;
  }

  /** Grows whenever `task` became another one than was written here: what was worked out from it no longer holds. */
  get rebases(): number {
    return this.#rebases;
  }

  /** Queues the first event of a log, the task itself. */
  begin(task: Task, receipt?: MessageReceipt): void {
    this.#firstReceipt = receipt;
    this.#fold = new TaskFold(task, this.#committed);
    this.add(streamResponse(task));
  }

  add(event: StreamResponse): void {
    this.#events.push(event);
    this.#fold?.apply(new TaskEvent(this.#committed + this.#events.length, event));
    void this.#start().catch(() => undefined);
  }

  /**
   * As `add`, for what the client said and brings about by that. One message at a time: the next has to wait until this resolves.
   *
   * Resolves when it is committed. A message that was accepted before is taken back with all it brought about; nobody else hears of that.
   *
   * @throws {DuplicateMessage} when it was accepted before
   * @throws {A2aError} as `flush`
   */
  addMessage(events: readonly StreamResponse[], receipt?: MessageReceipt): Promise<void> {
    const said = (this.#said = new SaidMessage(events, receipt));
    for (const event of events) this.add(event);
    return said.accepted;
  }

  /** Keeps the result of a step, together with the next event. */
  remember(step: string, value: JsonValue): void {
    this.#memos.set(step, value);
  }

  /** A step whose result is not committed yet. */
  remembered(step: string): JsonValue | undefined {
    return this.#memos.get(step);
  }

  /** Resolves at once, or when the queue has room again. */
  async room(): Promise<void> {
    if (this.#events.length >= QUEUED_EVENTS) await this.flush();
  }

  /**
   * Resolves when nothing is left to be committed.
   *
   * @throws {DuplicateMessage} when the message that begins the log was accepted before
   * @throws {A2aError} TaskEndedError when it ended elsewhere, TASK_NOT_FOUND when it was deleted
   */
  async flush(): Promise<void> {
    while (this.#flushing || this.#events.length > 0) await this.#start();
  }

  /**
   * As `flush()`.
   *
   * @returns the task as it was when this was called, whatever was queued since; undefined when another process wrote in between
   */
  async flushed(): Promise<LoadedTask | undefined> {
    const [written, rebases] = [this.#written(), this.#rebases];
    await this.flush();
    return rebases === this.#rebases ? written : undefined;
  }

  #written(): LoadedTask | undefined {
    const { task } = this;
    if (!task?.status) return undefined;
    const { state, timestamp } = task.status;
    const head = { taskId: this.ref.taskId, contextId: this.contextId, version: this.#committed + this.#events.length, state };
    return { head: { ...head, statusAtMs: timestamp ? timestampMs(timestamp) : 0 }, task };
  }

  #start(): Promise<void> {
    return (this.#flushing ??= this.#commitAll());
  }

  async #commitAll(): Promise<void> {
    await new Promise(setImmediate);
    try {
      await this.#commitStubbornly();
    } catch (error) {
      this.#said?.refuse(error);
      this.#said = undefined;
      throw error;
    } finally {
      this.#flushing = undefined;
    }
  }

  async #commitStubbornly(): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        return await this.#commit();
      } catch (error) {
        if (error instanceof ConcurrentModification) await this.#rebase();
        else if (error instanceof DuplicateMessage) await this.#takeBack(error);
        else if (isTransient(error)) await this.services.clock.sleep(retryDelayMs(failures), this.services.stopped);
        else throw error;
      }
    }
  }

  async #commit(): Promise<void> {
    const [change, said] = [this.#change(), this.#said];
    const last = change?.events.at(-1);
    if (!change || !last) return;
    await this.services.log.append(this.ref.scope, change, this.#committed);
    this.#committed = last.version;
    this.#events = this.#events.slice(change.events.length);
    this.#firstReceipt = undefined;
    said?.accept();
    if (said === this.#said) this.#said = undefined;
    for (const step of change.memos?.keys() ?? []) this.#memos.delete(step);
  }

  #change(): TaskChange | undefined {
    const events = this.#events.map((event, index) => new TaskEvent(this.#committed + index + 1, event));
    const [status, last] = [this.#fold?.status, events.at(-1)];
    if (!status || !last) return undefined;
    const { state, timestamp } = status;
    return {
      taskId: this.ref.taskId,
      contextId: this.contextId,
      events,
      state,
      statusAtMs: timestamp ? timestampMs(timestamp) : this.services.clock.now(),
      runner: isTerminal(state) || isInterrupted(state) ? undefined : this.services.runner,
      receipt: this.#firstReceipt ?? this.#said?.receipt,
      memos: this.#memos.size > 0 ? new Map(this.#memos) : undefined,
      snapshot: isSnapshotDue(this.#committed, last.version) ? this.#fold?.share() : undefined,
    };
  }

  /** Another process wrote first: what is queued goes behind that. */
  async #rebase(): Promise<void> {
    const loaded = await this.services.log.load(this.ref.scope, this.ref.taskId);
    this.#rebases += 1;
    if (!loaded) return this.#vanish();
    this.#fold = new TaskFold(loaded.task, loaded.head.version);
    if (isTerminal(loaded.head.state)) {
      this.#events = [];
      throw new TaskEndedError(this.ref.taskId, taskStateName(loaded.head.state));
    }
    this.#committed = loaded.head.version;
    this.#events.forEach((event, index) => this.#fold?.apply(new TaskEvent(this.#committed + index + 1, event)));
  }

  /** The task was deleted: there is nothing to write behind. */
  #vanish(): void {
    if (this.#committed === 0) return;
    this.#events = [];
    throw new TaskNotFoundError(this.ref.taskId);
  }

  /** The message was accepted before: it, and what it brought about, were never here. */
  async #takeBack(error: DuplicateMessage): Promise<void> {
    if (this.#committed === 0) {
      this.#events = [];
      this.#fold = this.#firstReceipt = undefined;
      this.#rebases += 1;
      throw error;
    }
    const said = this.#said;
    this.#said = undefined;
    this.#events = this.#events.filter((event) => !said?.events.includes(event));
    said?.refuse(error);
    await this.#rebase();
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof A2aError && error.reason === 'UNAVAILABLE';
}

function retryDelayMs(failures: number): number {
  return Math.min(100 * 2 ** failures, LONGEST_RETRY_DELAY_MS);
}
