import { create, type JsonValue } from '@bufbuild/protobuf';
import { type Message, type StreamResponse, type Task, TaskSchema, TaskState } from '../gen/a2a_pb.js';
import { type Clock } from '../clock.js';
import { A2aError, InvalidAgentResponseError, TaskNotFoundError } from '../protocol/errors.js';
import { type AgentEvent, statusUpdate, streamResponse, timestampAt, timestampMs } from '../protocol/events.js';
import { isInterrupted, isTerminal } from '../protocol/task-state.js';
import { wellFormedCopy } from '../protocol/well-formed.js';
import { TaskEvent } from '../tasks/task-event.js';
import { type LoadedTask, type TaskEventLog } from '../tasks/task-event-log.js';
import { TaskFold } from '../tasks/task-fold.js';
import { ConcurrentModification, DuplicateMessage, type MessageReceipt } from '../tasks/task-repository.js';
import { type TaskLimits } from '../limits/limits.options.js';
import { TaskGrowth } from './task-growth.js';
import { type TaskRef } from './task-resumer.js';
import { adoptEvent } from './agent-event-check.js';
import { isSnapshotDue } from './snapshot-rhythm.js';

const QUEUED_EVENTS = 64;
const LONGEST_RETRY_DELAY_MS = 5_000;

/** What a writer reaches into. */
export interface WriterServices {
  readonly log: TaskEventLog;
  readonly clock: Clock;
  /** Id of this process, for recovery. */
  readonly runner: string;
  /** Aborts when the process gives up waiting for a store that is away. */
  readonly stopped: AbortSignal;
}

/**
 * The one writer of a task in this process: event → legal? → commit → wake.
 *
 * - Events are committed in the order they were written; all that is written in one turn of the event loop is one commit.
 * - Nothing is written behind a terminal state.
 * - When another process wrote in between, what is queued goes behind it, unless the task has ended there.
 */
export class TaskWriter {
  #fold?: TaskFold;
  #committed: number;
  #queue: StreamResponse[] = [];
  #memos = new Map<string, JsonValue>();
  #receipt?: MessageReceipt;
  #said?: StreamResponse;
  #flushing?: Promise<void>;
  #growth?: TaskGrowth;
  #rebases = 0;
  readonly #sealed = new Set<string>();

  constructor(
    private readonly services: WriterServices,
    readonly ref: TaskRef,
    readonly contextId: string,
    private readonly limits: TaskLimits,
    present?: { readonly task: Task; readonly version: number },
  ) {
    this.#committed = present?.version ?? 0;
    if (present) this.#fold = new TaskFold(present.task, present.version);
  }

  /** The task exists, or is about to. */
  get exists(): boolean {
    return this.#fold !== undefined;
  }

  get state(): TaskState | undefined {
    return this.#fold?.status?.state;
  }

  /** Version of the last committed event. */
  get committedVersion(): number {
    return this.#committed;
  }

  /** The task as written, committed or not. Shared: never change it. */
  get task(): Task | undefined {
    return this.#fold?.share();
  }

  /** Begins the log with the task, SUBMITTED, and the message that asked for it (A2A §3.1.2). */
  begin(message: Message, receipt?: MessageReceipt): void {
    const { taskId } = this.ref;
    const history = [{ ...wellFormedCopy(message), taskId, contextId: this.contextId }];
    const status = { state: TaskState.SUBMITTED, timestamp: timestampAt(this.services.clock.now()) };
    const task = create(TaskSchema, { id: taskId, contextId: this.contextId, status, history });
    this.#receipt = receipt;
    this.#fold = new TaskFold(task, this.#committed);
    this.#enqueue(streamResponse(task));
  }

  /**
   * Adds what the client said to the history. A task that waited for it is SUBMITTED again.
   *
   * `flush` fails with UNSUPPORTED_OPERATION when the task has ended elsewhere meanwhile.
   *
   * @throws {UnsupportedOperationError} when the task would grow beyond its limits; nothing is written then
   */
  say(message: Message, receipt?: MessageReceipt): void {
    const said = streamResponse({ ...wellFormedCopy(message), taskId: this.ref.taskId, contextId: this.contextId });
    this.#grow(said);
    this.submitWhenInterrupted();
    this.#receipt = receipt;
    this.#said = said;
    this.#enqueue(this.#said);
  }

  /** A task that waited for its client goes on. */
  submitWhenInterrupted(): void {
    if (isInterrupted(this.state)) this.write(statusUpdate(this.#ids, TaskState.SUBMITTED));
  }

  /**
   * Queues an event of the agent.
   *
   * @throws {InvalidAgentResponseError} when the protocol forbids it; nothing is written then
   * @throws {UnsupportedOperationError} when the task would grow beyond its limits; nothing is written then
   */
  write(event: Exclude<AgentEvent, Message>): void {
    if (isTerminal(this.state)) throw new InvalidAgentResponseError('an event after a terminal state');
    const adopted = adoptEvent(event, this.#ids, this.services.clock.now());
    if (adopted.$typeName === 'lf.a2a.v1.TaskArtifactUpdateEvent')
      this.#seal(adopted.artifact?.artifactId ?? '', adopted.append, adopted.lastChunk);
    const response = streamResponse(adopted);
    this.#grow(response);
    this.#enqueue(response);
  }

  /** Keeps the result of a step, together with the next event. */
  remember(step: string, value: JsonValue): void {
    this.#memos.set(step, value);
  }

  /** A step whose result is not committed yet. */
  remembered(step: string): JsonValue | undefined {
    return this.#memos.get(step);
  }

  /** Resolves at once, or when the queue has room again. Agents are held back here. */
  async room(): Promise<void> {
    if (this.#queue.length >= QUEUED_EVENTS) await this.flush();
  }

  /**
   * Resolves when everything written so far is committed.
   *
   * @throws {DuplicateMessage} when the message that began this was accepted before
   * @throws {A2aError} UNSUPPORTED_OPERATION when the task has ended elsewhere, TASK_NOT_FOUND when it was deleted
   */
  async flush(): Promise<void> {
    while (this.#flushing || this.#queue.length > 0) await this.#start();
  }

  /**
   * As `flush()`.
   *
   * @returns the task as it was when this was called, whatever was written since; undefined when another process wrote in between
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
    const head = { taskId: this.ref.taskId, contextId: this.contextId, version: this.#committed + this.#queue.length, state };
    return { head: { ...head, statusAtMs: timestamp ? timestampMs(timestamp) : 0 }, task };
  }

  #enqueue(event: StreamResponse): void {
    this.#queue.push(event);
    this.#fold?.apply(new TaskEvent(this.#committed + this.#queue.length, event));
    void this.#start().catch(() => undefined);
  }

  #start(): Promise<void> {
    return (this.#flushing ??= this.#commitQueue());
  }

  async #commitQueue(): Promise<void> {
    await new Promise(setImmediate);
    try {
      await this.#commitStubbornly();
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
        else if (error instanceof DuplicateMessage) return await this.#takeBack(error);
        else if (isTransient(error)) await this.services.clock.sleep(retryDelayMs(failures), this.services.stopped);
        else throw error;
      }
    }
  }

  async #commit(): Promise<void> {
    const events = this.#queue.map((event, index) => new TaskEvent(this.#committed + index + 1, event));
    const memos = this.#memos.size > 0 ? new Map(this.#memos) : undefined;
    const [status, last] = [this.#fold?.status, events.at(-1)];
    if (!status || !last) return;
    const { state, timestamp } = status;
    const change = {
      taskId: this.ref.taskId,
      contextId: this.contextId,
      events,
      state,
      statusAtMs: timestamp ? timestampMs(timestamp) : this.services.clock.now(),
      runner: isTerminal(state) || isInterrupted(state) ? undefined : this.services.runner,
      receipt: this.#receipt,
      memos,
      snapshot: isSnapshotDue(this.#committed, last.version) ? this.#fold?.share() : undefined,
    };
    this.#receipt = undefined;
    try {
      await this.services.log.append(this.ref.scope, change, this.#committed);
    } catch (error) {
      this.#receipt ??= change.receipt;
      throw error;
    }
    this.#committed = last.version;
    this.#queue = this.#queue.slice(events.length);
    for (const step of memos?.keys() ?? []) this.#memos.delete(step);
  }

  /** The message was accepted before: it, and the task it would have begun, were never here. */
  async #takeBack(error: DuplicateMessage): Promise<never> {
    const said = this.#said;
    this.#receipt = this.#said = this.#growth = undefined;
    if (this.#committed === 0) {
      this.#queue = [];
      this.#fold = undefined;
    } else {
      this.#queue = this.#queue.filter((event) => event !== said);
      await this.#rebase();
    }
    throw error;
  }

  /** Another process wrote first: what is queued goes behind that. */
  async #rebase(): Promise<void> {
    const loaded = await this.services.log.load(this.ref.scope, this.ref.taskId);
    this.#rebases += 1;
    if (!loaded) return this.#vanish();
    this.#growth = undefined;
    if (isTerminal(loaded.head.state)) {
      this.#queue = [];
      this.#fold = new TaskFold(loaded.task, loaded.head.version);
      throw new A2aError('UNSUPPORTED_OPERATION', 'The task has ended', { metadata: { taskId: this.ref.taskId } });
    }
    this.#committed = loaded.head.version;
    this.#fold = new TaskFold(loaded.task, loaded.head.version);
    this.#queue.forEach((event, index) => this.#fold?.apply(new TaskEvent(this.#committed + index + 1, event)));
  }

  /** Counts what was there when it is first asked; a writer that only ends a task never is. */
  #grow(event: StreamResponse): void {
    this.#growth ??= new TaskGrowth(this.limits, this.task);
    this.#growth.add(event);
  }

  /** The task was deleted: there is nothing to write behind. */
  #vanish(): void {
    if (this.#committed === 0) return;
    this.#queue = [];
    throw new TaskNotFoundError(this.ref.taskId);
  }

  #seal(artifactId: string, append: boolean, lastChunk: boolean): void {
    if (append && this.#sealed.has(artifactId)) throw new InvalidAgentResponseError(`more of artifact ${artifactId} after its last chunk`);
    if (lastChunk) this.#sealed.add(artifactId);
    else this.#sealed.delete(artifactId);
  }

  get #ids(): { taskId: string; contextId: string } {
    return { taskId: this.ref.taskId, contextId: this.contextId };
  }
}

/** The store is away; what was acknowledged must not be lost, so the writer waits for it. */
function isTransient(error: unknown): boolean {
  return error instanceof A2aError && error.reason === 'UNAVAILABLE';
}

function retryDelayMs(failures: number): number {
  return Math.min(100 * 2 ** failures, LONGEST_RETRY_DELAY_MS);
}
