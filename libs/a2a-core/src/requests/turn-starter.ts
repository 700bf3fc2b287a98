import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { type CallContext } from '../call/call-context.js';
import { type TurnHandle, type TurnRequest } from '../execution/pending-turn.js';
import { TaskRunner } from '../execution/task-runner.js';
import { ConcurrencyCaps } from '../limits/concurrency-caps.js';
import { InvalidParamsError, TaskEndedError } from '../protocol/errors.js';
import { isTerminal, taskStateName } from '../protocol/task-state.js';
import { TaskEventLog } from '../tasks/task-event-log.js';
import { MessageReceipts } from './message-receipts.js';

/** Starts the turn of a message: the first one of a new task, or the next one of a known task. */
@Injectable()
export class TurnStarter {
  constructor(
    private readonly runner: TaskRunner,
    private readonly log: TaskEventLog,
    private readonly receipts: MessageReceipts,
    private readonly caps: ConcurrencyCaps,
  ) {}

  /**
   * The turn takes one of the caller's places until it has settled its task.
   *
   * @param onBegin called with the id of the task that the agent may make, before anything of it is stored
   * @throws {A2aError} RATE_LIMITED when the caller has no place left; TASK_NOT_FOUND, UNSUPPORTED_OPERATION or INVALID_PARAMS when the
   * message cannot go on with the task it names (A2A §3.4.3)
   */
  async start(agent: HostedAgent, call: CallContext, turn: TurnRequest, onBegin?: (taskId: string) => void): Promise<TurnHandle> {
    const release = this.caps.takeExecution(agent, call);
    try {
      const isFirst = !turn.message.taskId;
      const handle = isFirst ? this.#begin(agent, call, turn) : await this.#continue(agent, call, turn);
      if (isFirst) onBegin?.(handle.taskId);
      void handle.settled.then(release);
      return handle;
    } catch (error) {
      release();
      throw error;
    }
  }

  #begin(agent: HostedAgent, call: CallContext, turn: TurnRequest): TurnHandle {
    const handle = this.runner.begin(agent, call.scope, turn.message.contextId || randomUUID(), turn);
    this.receipts.track(call.scope, turn.receipt, handle);
    return handle;
  }

  async #continue(agent: HostedAgent, call: CallContext, turn: TurnRequest): Promise<TurnHandle> {
    const { taskId, contextId } = turn.message;
    const loaded = await this.log.get(call.scope, taskId);
    if (contextId && contextId !== loaded.head.contextId) {
      throw InvalidParamsError.of('message.contextId', 'the task belongs to another context');
    }
    if (isTerminal(loaded.head.state)) throw new TaskEndedError(taskId, taskStateName(loaded.head.state));
    if (turn.onTask) await turn.onTask(taskId);
    return this.runner.say(agent, call.scope, loaded, turn);
  }
}
