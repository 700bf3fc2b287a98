import {
  type AgentCard,
  type Answer,
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetExtendedAgentCardRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type IncomingCall,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type ListTasksRequest,
  type ListTasksResponse,
  type Operation,
  RequestHandler,
  type SendMessageRequest,
  type SendMessageResponse,
  type StreamItem,
  type SubscribeToTaskRequest,
  type Task,
  type TaskPushNotificationConfig,
} from '@a2a/a2a-core';
import { type Empty } from '@bufbuild/protobuf/wkt';

/** What a test makes of an operation: a response message, or the items of a stream. */
export type Script = (request: never, call: IncomingCall) => unknown;

/** The eleven operations as a test scripts them, and what reached them. */
export class ScriptedRequests extends RequestHandler {
  readonly received: { readonly handler: Operation['handler']; readonly request: unknown; readonly call: IncomingCall }[] = [];
  scripts: Partial<Record<Operation['handler'], Script>> = {};
  activatedExtensions: string[] = [];

  reset(): void {
    this.received.length = 0;
    this.scripts = {};
    this.activatedExtensions = [];
  }

  sendMessage(request: SendMessageRequest, call: IncomingCall) {
    return this.#play<SendMessageResponse>('sendMessage', request, call);
  }
  sendStreamingMessage(request: SendMessageRequest, call: IncomingCall) {
    return this.#play<AsyncIterable<StreamItem>>('sendStreamingMessage', request, call);
  }
  getTask(request: GetTaskRequest, call: IncomingCall) {
    return this.#play<Task>('getTask', request, call);
  }
  listTasks(request: ListTasksRequest, call: IncomingCall) {
    return this.#play<ListTasksResponse>('listTasks', request, call);
  }
  cancelTask(request: CancelTaskRequest, call: IncomingCall) {
    return this.#play<Task>('cancelTask', request, call);
  }
  subscribeToTask(request: SubscribeToTaskRequest, call: IncomingCall) {
    return this.#play<AsyncIterable<StreamItem>>('subscribeToTask', request, call);
  }
  createTaskPushNotificationConfig(request: TaskPushNotificationConfig, call: IncomingCall) {
    return this.#play<TaskPushNotificationConfig>('createTaskPushNotificationConfig', request, call);
  }
  getTaskPushNotificationConfig(request: GetTaskPushNotificationConfigRequest, call: IncomingCall) {
    return this.#play<TaskPushNotificationConfig>('getTaskPushNotificationConfig', request, call);
  }
  listTaskPushNotificationConfigs(request: ListTaskPushNotificationConfigsRequest, call: IncomingCall) {
    return this.#play<ListTaskPushNotificationConfigsResponse>('listTaskPushNotificationConfigs', request, call);
  }
  getExtendedAgentCard(request: GetExtendedAgentCardRequest, call: IncomingCall) {
    return this.#play<AgentCard>('getExtendedAgentCard', request, call);
  }
  deleteTaskPushNotificationConfig(request: DeleteTaskPushNotificationConfigRequest, call: IncomingCall) {
    return this.#play<Empty>('deleteTaskPushNotificationConfig', request, call);
  }

  async #play<Response>(handler: Operation['handler'], request: unknown, call: IncomingCall): Promise<Answer<Response>> {
    this.received.push({ handler, request, call });
    const script = this.scripts[handler];
    if (!script) throw new Error(`The test has no script for ${handler}`);
    const response = (await script(request as never, call)) as Response;
    return { response, activatedExtensions: this.activatedExtensions };
  }
}
