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
import { type Empty } from '@bufbuild/protobuf/wkt';
import { type IdentifiedCall } from '../call/call-context.js';
import { type StreamItem } from '../streams/stream-item.js';

/** What a wire hands over beside the request message. */
export interface IncomingCall extends IdentifiedCall {
  /** Version of the last event a resuming reader has seen (SSE `Last-Event-ID`). */
  readonly lastEventVersion?: number;
}

/** What a wire gives back beside the response message: how the call was understood. */
export interface Answer<Response> {
  readonly response: Response;
  /** Extensions in force, to be echoed in `A2A-Extensions`. */
  readonly activatedExtensions: readonly string[];
}

/**
 * The eleven operations without a wire (A2A §3.1). Each checks version, extensions, capability and parameters, in that order, before it
 * looks at any task.
 *
 * Streaming operations resolve when the first item is known, so that an error before it is an ordinary rejection; ending the iteration
 * early ends the reading, never the run.
 *
 * @throws {A2aError} from every operation; anything else is a defect and leaves a wire as InternalError
 */
export abstract class RequestHandler {
  abstract sendMessage(request: SendMessageRequest, call: IncomingCall): Promise<Answer<SendMessageResponse>>;
  abstract sendStreamingMessage(request: SendMessageRequest, call: IncomingCall): Promise<Answer<AsyncIterable<StreamItem>>>;
  abstract getTask(request: GetTaskRequest, call: IncomingCall): Promise<Answer<Task>>;
  abstract listTasks(request: ListTasksRequest, call: IncomingCall): Promise<Answer<ListTasksResponse>>;
  abstract cancelTask(request: CancelTaskRequest, call: IncomingCall): Promise<Answer<Task>>;
  abstract subscribeToTask(request: SubscribeToTaskRequest, call: IncomingCall): Promise<Answer<AsyncIterable<StreamItem>>>;
  abstract createTaskPushNotificationConfig(
    request: TaskPushNotificationConfig,
    call: IncomingCall,
  ): Promise<Answer<TaskPushNotificationConfig>>;
  abstract getTaskPushNotificationConfig(
    request: GetTaskPushNotificationConfigRequest,
    call: IncomingCall,
  ): Promise<Answer<TaskPushNotificationConfig>>;
  abstract listTaskPushNotificationConfigs(
    request: ListTaskPushNotificationConfigsRequest,
    call: IncomingCall,
  ): Promise<Answer<ListTaskPushNotificationConfigsResponse>>;
  abstract getExtendedAgentCard(request: GetExtendedAgentCardRequest, call: IncomingCall): Promise<Answer<AgentCard>>;
  abstract deleteTaskPushNotificationConfig(request: DeleteTaskPushNotificationConfigRequest, call: IncomingCall): Promise<Answer<Empty>>;
}
