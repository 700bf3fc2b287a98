import { create, type JsonValue } from '@bufbuild/protobuf';
import { type Message, type StreamResponse, type Task, TaskSchema, TaskState, type TaskStatusUpdateEvent } from '../gen/a2a_pb.js';
import { type TaskLimits } from '../limits/limits.options.js';
import { InvalidAgentResponseError } from '../protocol/errors.js';
import { type AgentEvent, statusUpdate, streamResponse, timestampAt } from '../protocol/events.js';
import { isInterrupted, isTerminal } from '../protocol/task-state.js';
import { wellFormedCopy } from '../protocol/well-formed.js';
import { type LoadedTask } from '../tasks/loaded-task.js';
import { type MessageReceipt } from '../tasks/task-repository.js';
import { adoptEvent } from './agent-event-check.js';
import { CommitQueue, type CommitServices } from './commit-queue.js';
import { TaskGrowth } from './task-growth.js';
import { type TaskRef } from './task-resumer.js';

/**
 * The one writer of a task in this process: decides which events are legal, and queues them to be committed.
 *
 * - Nothing is written behind a terminal state, nor behind the last chunk of an artifact.
 * - Nothing is written that would make the task larger than its limits.
 * - What was written is committed in that order; see `CommitQueue`.
 */
export class TaskWriter {
  readonly #queue: CommitQueue;
  readonly #sealed = new Set<string>();
  #growth?: { readonly of: TaskGrowth; readonly rebases: number };

  constructor(
    private readonly services: CommitServices,
    readonly ref: TaskRef,
    readonly contextId: string,
    private readonly limits: TaskLimits,
    present?: { readonly task: Task; readonly version: number },
  ) {
    this.#queue = new CommitQueue(services, ref, contextId, present);
  }

  /** The task exists, or is about to. */
  get exists(): boolean {
    return this.#queue.status !== undefined;
  }

  get state(): TaskState | undefined {
    return this.#queue.status?.state;
  }

  /** Version of the last committed event. */
  get committedVersion(): number {
    return this.#queue.committedVersion;
  }

  /** The task as written, committed or not. Shared: never change it. */
  get task(): Task | undefined {
    return this.#queue.task;
  }

  /** Begins the log with the task, SUBMITTED, and the message that asked for it (A2A §3.1.2). */
  begin(message: Message, receipt?: MessageReceipt): void {
    const { taskId } = this.ref;
    const history = [{ ...wellFormedCopy(message), taskId, contextId: this.contextId }];
    const status = { state: TaskState.SUBMITTED, timestamp: timestampAt(this.services.clock.now()) };
    this.#queue.begin(create(TaskSchema, { id: taskId, contextId: this.contextId, status, history }), receipt);
  }

  /**
   * Adds what the client said to the history. A task that waited for it is SUBMITTED again. See `CommitQueue.addMessage`.
   *
   * @throws {UnsupportedOperationError} when the task would grow beyond its limits; nothing is written then
   */
  async say(message: Message, receipt?: MessageReceipt): Promise<void> {
    const said = streamResponse({ ...wellFormedCopy(message), taskId: this.ref.taskId, contextId: this.contextId });
    this.#grow(said);
    const events = isInterrupted(this.state) ? [streamResponse(this.#adopt(this.#submitted)), said] : [said];
    await this.#queue.addMessage(events, receipt);
  }

  /** A task that waited for its client goes on. */
  submitWhenInterrupted(): void {
    if (isInterrupted(this.state)) this.write(this.#submitted);
  }

  /**
   * Writes an event of the agent.
   *
   * @throws {InvalidAgentResponseError} when the protocol forbids it; nothing is written then
   * @throws {UnsupportedOperationError} when the task would grow beyond its limits; nothing is written then
   */
  write(event: Exclude<AgentEvent, Message>): void {
    if (isTerminal(this.state)) throw new InvalidAgentResponseError('an event after a terminal state');
    const adopted = this.#adopt(event);
    if (adopted.$typeName === 'lf.a2a.v1.TaskArtifactUpdateEvent')
      this.#seal(adopted.artifact?.artifactId ?? '', adopted.append, adopted.lastChunk);
    const response = streamResponse(adopted);
    this.#grow(response);
    this.#queue.add(response);
  }

  /** Keeps the result of a step, together with the next event. */
  remember(step: string, value: JsonValue): void {
    this.#queue.remember(step, value);
  }

  /** A step whose result is not committed yet. */
  remembered(step: string): JsonValue | undefined {
    return this.#queue.remembered(step);
  }

  /** Resolves at once, or when fewer events wait to be committed. Agents are held back here. */
  room(): Promise<void> {
    return this.#queue.room();
  }

  /** See `CommitQueue.flush`. */
  flush(): Promise<void> {
    return this.#queue.flush();
  }

  /** See `CommitQueue.flushed`. */
  flushed(): Promise<LoadedTask | undefined> {
    return this.#queue.flushed();
  }

  /** Counts what was there when it is first asked, and again when another process wrote; a writer that only ends a task never is. */
  #grow(event: StreamResponse): void {
    const { rebases } = this.#queue;
    if (this.#growth?.rebases !== rebases) this.#growth = { of: new TaskGrowth(this.limits, this.task), rebases };
    this.#growth.of.add(event);
  }

  #seal(artifactId: string, append: boolean, lastChunk: boolean): void {
    if (append && this.#sealed.has(artifactId)) throw new InvalidAgentResponseError(`more of artifact ${artifactId} after its last chunk`);
    if (lastChunk) this.#sealed.add(artifactId);
    else this.#sealed.delete(artifactId);
  }

  #adopt(event: Exclude<AgentEvent, Message>): Exclude<AgentEvent, Message> {
    return adoptEvent(event, this.#ids, this.services.clock.now());
  }

  get #submitted(): TaskStatusUpdateEvent {
    return statusUpdate(this.#ids, TaskState.SUBMITTED);
  }

  get #ids(): { taskId: string; contextId: string } {
    return { taskId: this.ref.taskId, contextId: this.contextId };
  }
}
