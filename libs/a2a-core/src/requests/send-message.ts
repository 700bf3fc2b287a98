import { hash, randomUUID } from 'node:crypto';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { create } from '@bufbuild/protobuf';
import { type A2aCoreOptions } from '../a2a-core.options.js';
import { A2A_CORE_OPTIONS } from '../a2a-core.module-definition.js';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { CallAudit } from '../audit/call-audit.js';
import { type CallContext } from '../call/call-context.js';
import { Clock } from '../clock.js';
import { type TurnHandle, type TurnOutcome, type TurnRequest } from '../execution/pending-turn.js';
import { TaskRunner } from '../execution/task-runner.js';
import { withholdSecrets } from '../extensions/secrets.extension.js';
import {
  type Message,
  type SendMessageRequest,
  type SendMessageResponse,
  SendMessageResponseSchema,
  type TaskPushNotificationConfig,
} from '../gen/a2a_pb.js';
import { InvalidParamsError, TaskNotFoundError, UnsupportedOperationError } from '../protocol/errors.js';
import { streamResponse } from '../protocol/events.js';
import { isSettled, isTerminal, taskStateName } from '../protocol/task-state.js';
import { PushNotifications } from '../push/push-notifications.js';
import { type LoadedTask } from '../tasks/loaded-task.js';
import { TaskEventLog } from '../tasks/task-event-log.js';
import { DuplicateMessage, type ReceivedMessage } from '../tasks/task-repository.js';
import { AgentLimits } from '../limits/agent-limits.js';
import { ConcurrencyCaps } from '../limits/concurrency-caps.js';
import { checkSendRequest } from './message-checks.js';
import { MessageReceipts } from './message-receipts.js';
import { Patience } from './patience.js';
import { SingleStreamItem, type StreamItem } from '../streams/stream-item.js';
import { TaskStreams } from '../streams/task-streams.js';
import { TaskViews } from './task-views.js';

/** A message that was accepted, now or before; `handle` is its turn, while this process knows it. */
interface Accepted {
  readonly outcome: TurnOutcome;
  readonly taskId: string;
  readonly handle?: TurnHandle;
}

/** SendMessage and SendStreamingMessage (A2A §3.1.1, §3.1.2). */
@Injectable()
export class SendMessage {
  constructor(
    @Inject(A2A_CORE_OPTIONS) private readonly options: A2aCoreOptions,
    private readonly log: TaskEventLog,
    private readonly runner: TaskRunner,
    private readonly receipts: MessageReceipts,
    private readonly streams: TaskStreams,
    private readonly views: TaskViews,
    private readonly clock: Clock,
    private readonly limits: AgentLimits,
    private readonly caps: ConcurrencyCaps,
    private readonly audit: CallAudit,
    @Optional() private readonly push?: PushNotifications,
  ) {}

  async send(request: SendMessageRequest, agent: HostedAgent, call: CallContext): Promise<SendMessageResponse> {
    const accepted = await this.#accept(request, agent, call);
    if (accepted.outcome.kind === 'message') return answer(accepted.outcome.message);
    const { taskId, handle } = accepted;
    const { returnImmediately = false, historyLength } = request.configuration ?? {};
    const loaded = returnImmediately ? await this.#get(call, taskId) : await this.#settled(call, taskId, handle);
    const task = this.views.task(loaded, call, historyLength);
    return create(SendMessageResponseSchema, { payload: { case: 'task', value: task } });
  }

  async stream(request: SendMessageRequest, agent: HostedAgent, call: CallContext): Promise<AsyncIterable<StreamItem>> {
    const { outcome, taskId, handle } = await this.#accept(request, agent, call, (begun) => this.log.expectReader(call.scope, begun));
    if (outcome.kind === 'message') return single(new SingleStreamItem(streamResponse(outcome.message)));
    const historyLength = request.configuration?.historyLength;
    if (!handle) return this.streams.fromTask(await this.#get(call, taskId), call, { historyLength, closesOnInput: () => true });
    const closesOnInput = (version: number): boolean => version > (handle.startedAtVersion ?? Infinity);
    const options = { historyLength, closesOnInput };
    return outcome.at ? this.streams.fromTask(outcome.at, call, options) : this.streams.fromStart(taskId, call, options);
  }

  /** @param onBegin called with the id of the task that the agent may make, before anything of it is stored */
  async #accept(request: SendMessageRequest, agent: HostedAgent, call: CallContext, onBegin?: (taskId: string) => void): Promise<Accepted> {
    const { message, secrets } = withholdSecrets(checkSendRequest(request, agent, this.limits.limitsOf(agent)));
    const config = webhookOf(request, message);
    if (config) await this.push?.check(config, call);
    const receipt = this.receipts.receiptFor(agent, message);
    const known = (await this.receipts.find(call.scope, receipt)) ?? this.receipts.underWay(call.scope, receipt);
    if (known) return this.#again(known, call, message.taskId ? undefined : config);
    const turn: TurnRequest = {
      principal: call.principal,
      message,
      secrets,
      requestMetadata: request.metadata,
      acceptedOutputModes: request.configuration?.acceptedOutputModes,
      activatedExtensions: call.activatedExtensions,
      headers: call.headers,
      receipt,
      onTask: config && ((taskId) => this.#register(config, taskId, call, message.taskId ? undefined : 0)),
    };
    try {
      const handle = await this.#start(agent, call, message, turn, onBegin);
      const outcome = await handle.outcome;
      if (outcome.kind === 'task' && !message.taskId) this.audit.did('task.create', call, handle.taskId);
      return { handle, taskId: handle.taskId, outcome };
    } catch (error) {
      const accepted = error instanceof DuplicateMessage ? await this.receipts.find(call.scope, receipt) : undefined;
      if (accepted) return this.#again(accepted, call, message.taskId ? undefined : config);
      throw error;
    }
  }

  /** The turn takes one of the caller's places until it has settled its task. */
  async #start(
    agent: HostedAgent,
    call: CallContext,
    message: Message,
    turn: TurnRequest,
    onBegin?: (taskId: string) => void,
  ): Promise<TurnHandle> {
    const release = this.caps.takeExecution(agent, call);
    try {
      const handle = message.taskId ? await this.#continue(agent, call, message, turn) : this.#begin(agent, call, message, turn);
      if (!message.taskId) onBegin?.(handle.taskId);
      void handle.settled.then(release);
      return handle;
    } catch (error) {
      release();
      throw error;
    }
  }

  #begin(agent: HostedAgent, call: CallContext, message: Message, turn: TurnRequest): TurnHandle {
    const handle = this.runner.begin(agent, call.scope, message.contextId || randomUUID(), turn);
    this.receipts.track(call.scope, turn.receipt, handle);
    return handle;
  }

  async #continue(agent: HostedAgent, call: CallContext, message: Message, turn: TurnRequest): Promise<TurnHandle> {
    const { taskId, contextId } = message;
    const loaded = await this.#get(call, taskId);
    if (contextId && contextId !== loaded.head.contextId) {
      throw InvalidParamsError.of('message.contextId', 'the task belongs to another context');
    }
    if (isTerminal(loaded.head.state)) {
      const state = taskStateName(loaded.head.state);
      throw new UnsupportedOperationError(`The task has ended (${state}); begin a new one in the same context`, { taskId, state });
    }
    if (turn.onTask) await turn.onTask(taskId);
    return this.runner.say(agent, call.scope, loaded, turn);
  }

  /** @param config of a message that began a task: the process may have ended between the task and its webhook */
  async #again(known: ReceivedMessage | TurnHandle, call: CallContext, config?: TaskPushNotificationConfig): Promise<Accepted> {
    if ('outcome' in known) return { handle: known, taskId: known.taskId, outcome: await known.outcome };
    const { reply, taskId = '' } = known;
    if (config && !reply && !(await this.push?.has({ ...config, taskId }, call))) await this.#register(config, taskId, call, 0);
    return { outcome: reply ? { kind: 'message', message: reply } : { kind: 'task' }, taskId };
  }

  /** @param afterVersion 0 for a task that the message begins: the webhook gets it from its first event on */
  async #register(config: TaskPushNotificationConfig, taskId: string, call: CallContext, afterVersion?: number): Promise<void> {
    await this.push?.create({ ...config, taskId }, call, { afterVersion });
    this.audit.did('push_config.set', call, taskId);
  }

  /** The task when it is terminal or interrupted; as it is when the caller has gone or the longest wait is over (A2A §3.2.2). */
  async #settled(call: CallContext, taskId: string, handle: TurnHandle | undefined): Promise<LoadedTask> {
    const patience = new Patience(this.clock, this.options.blockingTimeoutMs ?? 300_000, call.signal);
    try {
      const settled = handle && (await patience.during(handle.settled));
      if (settled) return settled;
      let loaded = await this.#get(call, taskId);
      // A turn that detached leaves the settling to later ones; a message that comes at once may move a settled task on.
      while (!isSettled(loaded.head.state) && !patience.isLost) {
        const hasSettled = await patience.during(this.#followUntilSettled(call, taskId, loaded.head.version, patience.signal));
        loaded = await this.#get(call, taskId);
        if (!hasSettled) break;
      }
      return loaded;
    } finally {
      patience.end();
    }
  }

  /** @returns false when the log ended before that: the process stops, or the task was deleted */
  async #followUntilSettled(call: CallContext, taskId: string, version: number, signal: AbortSignal): Promise<boolean> {
    for await (const { event } of this.log.follow(call.scope, taskId, version, signal)) {
      if (event.payload.case === 'statusUpdate' && isSettled(event.payload.value.status?.state)) return true;
    }
    return false;
  }

  async #get(call: CallContext, taskId: string): Promise<LoadedTask> {
    const loaded = await this.log.load(call.scope, taskId);
    if (!loaded) throw new TaskNotFoundError(taskId);
    return loaded;
  }
}

/** Its id follows from the message where the client brought none, so that a message that comes again does not make a second one. */
function webhookOf({ configuration }: SendMessageRequest, { messageId }: Message): TaskPushNotificationConfig | undefined {
  const config = configuration?.taskPushNotificationConfig;
  return config && { ...config, id: config.id || `m-${hash('sha256', messageId, 'base64url').slice(0, 22)}` };
}

function answer(message: Message): SendMessageResponse {
  return create(SendMessageResponseSchema, { payload: { case: 'message', value: message } });
}

async function* single(item: StreamItem): AsyncGenerator<StreamItem> {
  yield item;
}
