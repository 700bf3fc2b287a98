import { Injectable } from '@nestjs/common';
import { type Empty } from '@bufbuild/protobuf/wkt';
import { CallAudit } from '../audit/call-audit.js';
import { type CallContext } from '../call/call-context.js';
import {
  type AgentCard,
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetExtendedAgentCardRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type ListTasksRequest,
  type ListTasksResponse,
  type SendMessageRequest,
  type SendMessageResponse,
  type SubscribeToTaskRequest,
  type Task,
  type TaskPushNotificationConfig,
} from '../gen/a2a_pb.js';
import { type OperationName } from '../protocol/operations.js';
import { onEnd } from '../streams/on-end.js';
import { type AnyRequest, CallChecks, type CheckedCall } from './call-checks.js';
import { ConcurrencyCaps } from '../limits/concurrency-caps.js';
import { CancelTask } from './cancel-task.js';
import { GetExtendedAgentCard } from './get-extended-agent-card.js';
import { PushConfigs } from './push-configs.js';
import { ReadTasks } from './read-tasks.js';
import { type Answer, type IncomingCall, RequestHandler } from './request-handler.js';
import { SendMessage } from './send-message.js';
import { type StreamItem } from '../streams/stream-item.js';
import { SubscribeToTask } from './subscribe-to-task.js';

/** The eleven operations, each checked first and then done by its own class. How they end is what the audit trail is made from. */
@Injectable()
export class DefaultRequestHandler extends RequestHandler {
  constructor(
    private readonly checks: CallChecks,
    private readonly messages: SendMessage,
    private readonly reads: ReadTasks,
    private readonly cancels: CancelTask,
    private readonly subscriptions: SubscribeToTask,
    private readonly pushConfigs: PushConfigs,
    private readonly extendedCard: GetExtendedAgentCard,
    private readonly caps: ConcurrencyCaps,
    private readonly audit: CallAudit,
  ) {
    super();
  }

  sendMessage(request: SendMessageRequest, call: IncomingCall): Promise<Answer<SendMessageResponse>> {
    return this.#answer('SendMessage', request, call, request.message?.taskId, (checked) => this.#send(request, checked));
  }

  sendStreamingMessage(request: SendMessageRequest, call: IncomingCall): Promise<Answer<AsyncIterable<StreamItem>>> {
    const taskId = request.message?.taskId;
    return this.#answer('SendStreamingMessage', request, call, taskId, (checked) =>
      this.#stream(checked, taskId, () => this.messages.stream(request, checked.agent, checked.context)),
    );
  }

  getTask(request: GetTaskRequest, call: IncomingCall): Promise<Answer<Task>> {
    return this.#answer('GetTask', request, call, request.id, ({ context }) => this.reads.get(request, context));
  }

  listTasks(request: ListTasksRequest, call: IncomingCall): Promise<Answer<ListTasksResponse>> {
    return this.#answer('ListTasks', request, call, undefined, ({ context }) => this.reads.list(request, context));
  }

  cancelTask(request: CancelTaskRequest, call: IncomingCall): Promise<Answer<Task>> {
    return this.#answer('CancelTask', request, call, request.id, ({ context, agent }) => this.cancels.cancel(request, agent, context));
  }

  subscribeToTask(request: SubscribeToTaskRequest, call: IncomingCall): Promise<Answer<AsyncIterable<StreamItem>>> {
    return this.#answer('SubscribeToTask', request, call, request.id, (checked) =>
      this.#stream(checked, request.id, () => this.subscriptions.subscribe(request, checked.context)),
    );
  }

  createTaskPushNotificationConfig(request: TaskPushNotificationConfig, call: IncomingCall): Promise<Answer<TaskPushNotificationConfig>> {
    return this.#answer('CreateTaskPushNotificationConfig', request, call, request.taskId, ({ context }) =>
      this.pushConfigs.create(request, context),
    );
  }

  getTaskPushNotificationConfig(
    request: GetTaskPushNotificationConfigRequest,
    call: IncomingCall,
  ): Promise<Answer<TaskPushNotificationConfig>> {
    return this.#answer('GetTaskPushNotificationConfig', request, call, request.taskId, ({ context }) =>
      this.pushConfigs.get(request, context),
    );
  }

  listTaskPushNotificationConfigs(
    request: ListTaskPushNotificationConfigsRequest,
    call: IncomingCall,
  ): Promise<Answer<ListTaskPushNotificationConfigsResponse>> {
    return this.#answer('ListTaskPushNotificationConfigs', request, call, request.taskId, ({ context }) =>
      this.pushConfigs.list(request, context),
    );
  }

  deleteTaskPushNotificationConfig(request: DeleteTaskPushNotificationConfigRequest, call: IncomingCall): Promise<Answer<Empty>> {
    return this.#answer('DeleteTaskPushNotificationConfig', request, call, request.taskId, ({ context }) =>
      this.pushConfigs.delete(request, context),
    );
  }

  getExtendedAgentCard(request: GetExtendedAgentCardRequest, call: IncomingCall): Promise<Answer<AgentCard>> {
    return this.#answer('GetExtendedAgentCard', request, call, undefined, ({ context, agent }) => this.extendedCard.get(agent, context));
  }

  async #send(request: SendMessageRequest, { context, agent }: CheckedCall): Promise<SendMessageResponse> {
    if (request.configuration?.returnImmediately) return this.messages.send(request, agent, context);
    const release = this.caps.takeBlockingSend(agent, context);
    try {
      return await this.messages.send(request, agent, context);
    } finally {
      release();
    }
  }

  async #stream(
    { context, agent }: CheckedCall,
    taskId: string | undefined,
    open: () => Promise<AsyncIterable<StreamItem>>,
  ): Promise<AsyncIterable<StreamItem>> {
    const release = this.caps.takeStream(agent, context, taskId);
    context.signal.addEventListener('abort', release, { once: true });
    try {
      return onEnd(await open(), release);
    } catch (error) {
      release();
      throw error;
    }
  }

  async #answer<Response>(
    name: OperationName,
    request: AnyRequest,
    call: IncomingCall,
    taskId: string | undefined,
    work: (checked: CheckedCall) => Promise<Response>,
  ): Promise<Answer<Response>> {
    let context: CallContext | undefined;
    try {
      const checked = await this.checks.check(name, request, call, taskId);
      context = checked.context;
      const response = await work(checked);
      this.audit.done(name, context, taskId);
      return { response, activatedExtensions: context.activatedExtensions };
    } catch (error) {
      this.audit.refused({ operation: name, call, context, tenant: request.tenant, taskId }, error);
      throw error;
    }
  }
}
