import { randomUUID } from 'node:crypto';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { type Message, TaskState } from '../gen/a2a_pb.js';
import { A2aError, InvalidAgentResponseError } from '../protocol/errors.js';
import { type AgentEvent, statusUpdate } from '../protocol/events.js';
import { agentMessage } from '../protocol/messages.js';
import { isSettled, isTerminal } from '../protocol/task-state.js';
import { adoptMessage } from './agent-event-check.js';
import { type PendingTurn } from './pending-turn.js';
import { type RunnerServices } from './runner-services.js';
import { type TaskWriter } from './task-writer.js';
import { type Turn } from './turn.js';

/**
 * One execution of an agent: takes its events one by one and decides what each means for the task.
 *
 * - The first event decides: a Message answers directly, anything else makes a task. An agent that thinks for longer than `taskAfterMs`
 *   gets a task made for it, so that its caller has something to hold.
 * - A direct answer counts when the agent is done, so that a second event can still be refused.
 * - What the agent's `admit` refuses never becomes a task. A step refused later makes the task AUTH_REQUIRED.
 * - An agent that ends without having settled the task has COMPLETED it, unless it detached.
 * - After an abort only CANCELED counts; after fencing nothing does.
 */
export class TurnRun {
  #begun?: Promise<void>;
  #reply?: Message;
  #wroteEvents = false;
  #isSettled = false;
  #stopWaiting: () => void = () => undefined;

  constructor(
    private readonly services: RunnerServices,
    private readonly agent: HostedAgent,
    private readonly turn: PendingTurn,
    private readonly writer: TaskWriter,
    private readonly context: Turn,
  ) {}

  /** Never rejects: what goes wrong becomes the turn's outcome or the task's state. */
  async run(): Promise<void> {
    try {
      await this.agent.executor.admit?.(this.context);
      this.#stopWaiting = this.services.clock.after(this.services.taskAfterMs, () => void this.#begin().catch(() => undefined));
      await this.#consume();
      await this.#finish();
    } catch (error) {
      await this.#fail(error).catch((failure: unknown) => this.#giveUp(failure));
    } finally {
      this.#stopWaiting();
    }
    await this.writer.flush().catch((failure: unknown) => this.#giveUp(failure));
  }

  async #consume(): Promise<void> {
    for await (const event of this.agent.executor.execute(this.context)) {
      if (this.turn.isFenced) return;
      if (this.turn.signal.aborted && !isCanceled(event)) continue;
      if (event.$typeName === 'lf.a2a.v1.Message') this.#takeReply(event);
      else await this.#takeEvent(event);
    }
  }

  #takeReply(message: Message): void {
    if (this.#reply) throw new InvalidAgentResponseError('a second message');
    if (this.#wroteEvents) throw new InvalidAgentResponseError('a direct message after the task');
    this.#reply = adoptMessage(message, this.turn.contextId);
  }

  async #takeEvent(event: Exclude<AgentEvent, Message>): Promise<void> {
    if (this.#reply) throw new InvalidAgentResponseError('an event after a direct message');
    await this.#begin();
    this.writer.write(event);
    this.#wroteEvents = true;
    this.#isSettled = isSettled(this.writer.state);
    if (this.#isSettled) await this.#settle();
    else await this.writer.room();
  }

  async #finish(): Promise<void> {
    if (this.turn.isFenced || this.turn.signal.aborted) return;
    if (this.#reply && !this.writer.exists) return this.#answer(this.#reply);
    await this.#begin();
    if (this.#reply) this.#write(TaskState.COMPLETED, this.#reply);
    else if (!this.#isSettled && !this.context.isDetached) this.#write(TaskState.COMPLETED);
    await this.#settle();
  }

  async #answer(message: Message): Promise<void> {
    // The agent is done; a store that takes its time makes no task of its answer.
    this.#stopWaiting();
    await this.services.saveReply(this.context.ref.scope, this.turn.request.receipt, message);
    this.turn.answer({ kind: 'message', message });
    this.turn.settle();
  }

  /** Makes the task, once, on a first turn. */
  #begin(): Promise<void> {
    return (this.#begun ??= this.writer.exists ? Promise.resolve() : this.#makeTask());
  }

  async #makeTask(): Promise<void> {
    const { message, receipt, onTask } = this.turn.request;
    this.writer.begin(message, receipt);
    const made = onTask ? this.#register(onTask) : this.writer.flush();
    made.then(
      () => this.turn.answer({ kind: 'task' }),
      (error: unknown) => this.#giveUp(error),
    );
    if (onTask) await made;
  }

  /** The caller hears of the task when its webhook is stored; a task that would go on unseen ends at once. */
  async #register(onTask: (taskId: string) => Promise<void>): Promise<void> {
    await this.writer.flush();
    try {
      await onTask(this.turn.taskId);
    } catch (error) {
      this.#write(TaskState.FAILED, agentMessage('The webhook of this task could not be registered.'));
      await this.writer.flush();
      throw error;
    }
  }

  async #settle(): Promise<void> {
    const task = await this.writer.flushed();
    this.turn.settle(task && isSettled(task.head.state) ? task : undefined);
  }

  #write(state: TaskState, message?: Message): void {
    const ids = { taskId: this.turn.taskId, contextId: this.turn.contextId };
    this.writer.write(statusUpdate(ids, state, { message }));
  }

  /** A public text for the caller; the real one goes to the log, under the same id. */
  async #fail(error: unknown): Promise<void> {
    if (this.turn.isFenced || this.turn.signal.aborted) return;
    const errorId = randomUUID();
    const facts = { errorId, agentId: this.agent.id, taskId: this.turn.taskId, contextId: this.turn.contextId, error };
    if (error instanceof A2aError && !this.writer.exists) return this.turn.refuse(error);
    if (isRefusedStep(error) && !isTerminal(this.writer.state)) return this.#askForAuthorization(error);
    this.services.logger.error('An agent failed', facts);
    if (isTerminal(this.writer.state)) return;
    await this.#begin();
    const text = error instanceof A2aError ? error.message : 'The agent could not finish this task';
    this.writer.write(this.context.failed(`${text} (error ${errorId})`));
    await this.#settle();
  }

  /** The caller may come back with better credentials; what was done so far stays (A2A §7.6.1). */
  async #askForAuthorization({ message }: A2aError): Promise<void> {
    this.writer.write(this.context.requireAuth(message));
    await this.#settle();
  }

  /** The store refused: the task ended elsewhere, or its message was accepted before. */
  #giveUp(error: unknown): void {
    this.turn.isFenced = true;
    this.services.logger.warn('A turn could not be stored', { agentId: this.agent.id, taskId: this.turn.taskId, error });
    this.turn.refuse(error);
  }
}

/** A step needs more than the caller's credentials grant. */
function isRefusedStep(error: unknown): error is A2aError {
  return error instanceof A2aError && (error.reason === 'PERMISSION_DENIED' || error.reason === 'UNAUTHENTICATED');
}

function isCanceled(event: AgentEvent): boolean {
  return event.$typeName === 'lf.a2a.v1.TaskStatusUpdateEvent' && event.status?.state === TaskState.CANCELED;
}
