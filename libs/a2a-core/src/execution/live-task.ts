import { type HostedAgent } from '../agents/hosted-agent.js';
import { type Task, TaskState } from '../gen/a2a_pb.js';
import { A2aError, TaskEndedError, UnsupportedOperationError } from '../protocol/errors.js';
import { statusUpdate } from '../protocol/events.js';
import { agentMessage } from '../protocol/messages.js';
import { isSettled, isTerminal, taskStateName } from '../protocol/task-state.js';
import { PendingTurn, type TurnHandle, type TurnRequest } from './pending-turn.js';
import { type RunnerServices } from './runner-services.js';
import { type TaskRef } from './task-resumer.js';
import { TaskWriter } from './task-writer.js';
import { TurnRun } from './turn-run.js';

/** Why a turn's signal aborts. */
export class TurnAborted extends Error {
  constructor(reason: 'canceled' | 'host stops') {
    super(`The turn was aborted: ${reason}`);
    this.name = 'TurnAborted';
  }
}

/**
 * A task while this process works on it.
 *
 * - Its turns run one after the other; a message that comes meanwhile waits.
 * - A cancel aborts the running turn, drops those that wait, and ends the task as CANCELED whether or not the agent obeys.
 */
export class LiveTask {
  readonly writer: TaskWriter;
  readonly #waiting: PendingTurn[] = [];
  #running?: { readonly turn: PendingTurn; readonly ended: Promise<void> };
  #isRunning = false;
  #canceled?: Promise<void>;
  /** The last message that came; the next is accepted behind it. */
  #accepting: Promise<unknown> = Promise.resolve();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(
    private readonly services: RunnerServices,
    private readonly agent: HostedAgent,
    readonly ref: TaskRef,
    readonly contextId: string,
    /** Called when nothing of the task is under way any more. */
    private readonly onIdle: () => void,
    present?: { readonly task: Task; readonly version: number },
  ) {
    this.writer = new TaskWriter(services, ref, contextId, services.limits.limitsOf(agent), present);
  }

  /** Nothing runs, waits or is being accepted. */
  get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  /** Resolves when nothing runs, waits or is being accepted; look at `isIdle` before you rely on it. */
  async idle(): Promise<void> {
    while (!this.isIdle) await Promise.allSettled(this.#underWay);
  }

  /** Runs the first turn; whether there will be a task is the agent's to say. */
  begin(request: TurnRequest): TurnHandle {
    return this.#enqueue(this.#pending(request));
  }

  /**
   * Accepts a message for the task: when this resolves, the message is stored.
   *
   * @throws {UnsupportedOperationError} when the task works and the agent takes no messages then; TaskEndedError
   * @throws {A2aError} RATE_LIMITED when too many messages wait already
   */
  say(request: TurnRequest): Promise<TurnHandle> {
    const said = this.#accepting.then(() => this.#say(request));
    this.#accepting = said.catch(() => undefined);
    return this.#track(said);
  }

  async #say(request: TurnRequest): Promise<TurnHandle> {
    this.#checkOpen();
    if (this.agent.options.whileWorking === 'reject' && !isSettled(this.writer.state)) {
      throw new UnsupportedOperationError('This agent takes no message while it works on the task', { taskId: this.ref.taskId });
    }
    this.#checkQueue();
    const turn = this.#pending(request);
    turn.before = this.writer.task;
    await this.writer.say(request.message, request.receipt);
    turn.answer({ kind: 'task', at: await this.services.log.load(this.ref.scope, this.ref.taskId) });
    return this.#enqueue(turn);
  }

  /** @throws {TaskEndedError} */
  resume(request: TurnRequest): void {
    this.#checkOpen();
    const turn = this.#pending(request);
    turn.before = this.writer.task;
    this.#enqueue(turn);
  }

  /** Ends the task as CANCELED. Resolves when that is stored; calling it again joins the first call. */
  cancel(request: TurnRequest): Promise<void> {
    return (this.#canceled ??= this.#track(this.#cancel(request)));
  }

  /** Ends the task as FAILED because the host stops. A task that waits for its client stays as it is. */
  async abandon(reason: string): Promise<void> {
    this.#abort(new TurnAborted('host stops'));
    if (this.#running) this.#running.turn.isFenced = true;
    if (!this.writer.exists || isSettled(this.writer.state)) return;
    this.#write(TaskState.FAILED, reason);
    await this.writer.flush();
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    const done = (): void => {
      this.#underWay.delete(work);
      if (this.isIdle) this.onIdle();
    };
    work.then(done, done);
    return work;
  }

  #pending(request: TurnRequest): PendingTurn {
    return new PendingTurn(this.ref.taskId, this.contextId, request);
  }

  #checkOpen(): void {
    const { state } = this.writer;
    if (state !== undefined && isTerminal(state)) throw new TaskEndedError(this.ref.taskId, taskStateName(state));
  }

  #checkQueue(): void {
    if (this.#waiting.length < this.services.limits.capsOf(this.agent).waitingMessages) return;
    throw new A2aError('RATE_LIMITED', 'Too many messages wait for this task', { retryAfterSeconds: 1 });
  }

  #enqueue(turn: PendingTurn): TurnHandle {
    this.#waiting.push(turn);
    if (!this.#isRunning) void this.#track(this.#runAll());
    return turn;
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    try {
      for (let turn = this.#waiting.shift(); turn; turn = this.#waiting.shift()) {
        if (!isTerminal(this.writer.state) && !this.#canceled) {
          const ended = this.#run(turn);
          this.#running = { turn, ended };
          await ended;
          this.#running = undefined;
        }
        turn.settle();
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async #run(turn: PendingTurn): Promise<void> {
    const isResumed = turn.request.resumeMetadata !== undefined;
    if (!isResumed) this.writer.submitWhenInterrupted();
    turn.startedAtVersion = this.writer.committedVersion;
    const context = this.services.makeTurn(this.agent, this.ref, turn, this.writer);
    await new TurnRun(this.services, this.agent, turn, this.writer, context).run();
  }

  async #cancel(request: TurnRequest): Promise<void> {
    this.#abort(new TurnAborted('canceled'));
    if (this.#running) {
      const { turn, ended } = this.#running;
      await this.#patiently(ended);
      turn.isFenced = true;
    }
    await this.#lastWords(request);
    if (!isTerminal(this.writer.state)) this.#write(TaskState.CANCELED);
    await this.writer.flush();
  }

  /** What the agent's own `cancel` has to say; it cannot keep the task from being CANCELED. */
  async #lastWords(request: TurnRequest): Promise<void> {
    if (!this.agent.executor.cancel || isTerminal(this.writer.state)) return;
    const turn = this.#pending(request);
    turn.before = this.writer.task;
    const spoken = this.#speak(turn).catch((error: unknown) => {
      this.services.logger.error('An agent failed to cancel', { agentId: this.agent.id, taskId: this.ref.taskId, error });
    });
    await this.#patiently(spoken);
    turn.isFenced = true;
  }

  /** Waits for an agent that was told to end, but no longer than `cancelTimeoutMs`. */
  async #patiently(work: Promise<unknown>): Promise<void> {
    let callOff = (): void => undefined;
    const timeout = new Promise<void>((resolve) => (callOff = this.services.clock.after(this.services.cancelTimeoutMs, resolve)));
    await Promise.race([work, timeout]);
    callOff();
  }

  async #speak(turn: PendingTurn): Promise<void> {
    const context = this.services.makeTurn(this.agent, this.ref, turn, this.writer);
    for await (const event of this.agent.executor.cancel?.(context) ?? []) {
      if (turn.isFenced || isTerminal(this.writer.state)) return;
      if (event.$typeName !== 'lf.a2a.v1.Message') this.writer.write(event);
    }
  }

  #abort(reason: TurnAborted): void {
    for (const turn of this.#waiting.splice(0)) turn.settle();
    this.#running?.turn.abort(reason);
  }

  #write(state: TaskState, text?: string): void {
    const ids = { taskId: this.ref.taskId, contextId: this.contextId };
    this.writer.write(statusUpdate(ids, state, { message: text ? agentMessage(text, ids) : undefined }));
  }
}
