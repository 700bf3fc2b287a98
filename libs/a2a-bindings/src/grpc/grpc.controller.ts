import { Metadata, type ServerUnaryCall, type ServerWritableStream } from '@grpc/grpc-js';
import { Controller, UseFilters } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { type Observable } from 'rxjs';
import {
  A2AService,
  type Answer,
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  EXTENSIONS_PARAM,
  formatExtensions,
  type GetExtendedAgentCardRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type IncomingCall,
  type ListTaskPushNotificationConfigsRequest,
  type ListTasksRequest,
  type Operation,
  RequestHandler,
  type SendMessageRequest,
  type StreamItem,
  type SubscribeToTaskRequest,
  type TaskPushNotificationConfig,
} from '@a2a/a2a-core';
import { type GrpcCall, GrpcCallReader } from './grpc.call-reader.js';
import { GrpcExceptionFilter } from './grpc.exception-filter.js';
import { GrpcStreams } from './grpc.stream.js';

const SERVICE = A2AService.typeName;

type UnaryCall = ServerUnaryCall<unknown, unknown>;
type StreamCall = ServerWritableStream<unknown, StreamItem>;
type StartStream = (incoming: IncomingCall) => Promise<Answer<AsyncIterable<StreamItem>>>;
type Handler = (request: never, metadata: Metadata, call: never) => Promise<unknown>;

/** The eleven methods of lf.a2a.v1.A2AService (A2A §10.4). Calls get here through the call gate only. */
@Controller()
@UseFilters(GrpcExceptionFilter)
export class GrpcController implements Record<Operation['handler'], Handler> {
  constructor(
    private readonly requests: RequestHandler,
    private readonly calls: GrpcCallReader,
    private readonly streams: GrpcStreams,
  ) {}

  @GrpcMethod(SERVICE, 'SendMessage')
  sendMessage(request: SendMessageRequest, metadata: Metadata, call: UnaryCall) {
    return answer(call, this.requests.sendMessage(request, this.calls.read(metadata).incoming));
  }

  @GrpcMethod(SERVICE, 'SendStreamingMessage')
  sendStreamingMessage(request: SendMessageRequest, metadata: Metadata, call: StreamCall) {
    return this.#stream(call, this.calls.read(metadata), (incoming) => this.requests.sendStreamingMessage(request, incoming));
  }

  @GrpcMethod(SERVICE, 'GetTask')
  getTask(request: GetTaskRequest, metadata: Metadata, call: UnaryCall) {
    return answer(call, this.requests.getTask(request, this.calls.read(metadata).incoming));
  }

  @GrpcMethod(SERVICE, 'ListTasks')
  listTasks(request: ListTasksRequest, metadata: Metadata, call: UnaryCall) {
    return answer(call, this.requests.listTasks(request, this.calls.read(metadata).incoming));
  }

  @GrpcMethod(SERVICE, 'CancelTask')
  cancelTask(request: CancelTaskRequest, metadata: Metadata, call: UnaryCall) {
    return answer(call, this.requests.cancelTask(request, this.calls.read(metadata).incoming));
  }

  @GrpcMethod(SERVICE, 'SubscribeToTask')
  subscribeToTask(request: SubscribeToTaskRequest, metadata: Metadata, call: StreamCall) {
    return this.#stream(call, this.calls.readResuming(metadata), (incoming) => this.requests.subscribeToTask(request, incoming));
  }

  @GrpcMethod(SERVICE, 'CreateTaskPushNotificationConfig')
  createTaskPushNotificationConfig(request: TaskPushNotificationConfig, metadata: Metadata, call: UnaryCall) {
    return answer(call, this.requests.createTaskPushNotificationConfig(request, this.calls.read(metadata).incoming));
  }

  @GrpcMethod(SERVICE, 'GetTaskPushNotificationConfig')
  getTaskPushNotificationConfig(request: GetTaskPushNotificationConfigRequest, metadata: Metadata, call: UnaryCall) {
    return answer(call, this.requests.getTaskPushNotificationConfig(request, this.calls.read(metadata).incoming));
  }

  @GrpcMethod(SERVICE, 'ListTaskPushNotificationConfigs')
  listTaskPushNotificationConfigs(request: ListTaskPushNotificationConfigsRequest, metadata: Metadata, call: UnaryCall) {
    return answer(call, this.requests.listTaskPushNotificationConfigs(request, this.calls.read(metadata).incoming));
  }

  @GrpcMethod(SERVICE, 'GetExtendedAgentCard')
  getExtendedAgentCard(request: GetExtendedAgentCardRequest, metadata: Metadata, call: UnaryCall) {
    return answer(call, this.requests.getExtendedAgentCard(request, this.calls.read(metadata).incoming));
  }

  @GrpcMethod(SERVICE, 'DeleteTaskPushNotificationConfig')
  deleteTaskPushNotificationConfig(request: DeleteTaskPushNotificationConfigRequest, metadata: Metadata, call: UnaryCall) {
    return answer(call, this.requests.deleteTaskPushNotificationConfig(request, this.calls.read(metadata).incoming));
  }

  /** An error before the first item fails the call without a message (A2A §10.7). A reader that resumes may wait long for that item. */
  #stream(call: StreamCall, known: GrpcCall, start: StartStream): Promise<Observable<StreamItem>> {
    const resumes = known.incoming.lastEventVersion !== undefined;
    return this.streams.open(known, call, () => answer(call, start(known.incoming), resumes));
  }
}

/**
 * Waits for an answer and echoes the extensions in force in the initial metadata (A2A §3.2.6).
 *
 * @param atOnce sends that metadata without waiting for the first message, even when it is empty
 */
async function answer<Response>(call: UnaryCall | StreamCall, pending: Promise<Answer<Response>>, atOnce = false): Promise<Response> {
  const { response, activatedExtensions } = await pending;
  const extensions = formatExtensions(activatedExtensions);
  if (extensions || atOnce) {
    const metadata = new Metadata();
    if (extensions) metadata.set(EXTENSIONS_PARAM, extensions);
    call.sendMetadata(metadata);
  }
  return response;
}
