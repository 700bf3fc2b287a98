import { Injectable } from '@nestjs/common';
import {
  type CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetExtendedAgentCardRequest,
  type GetTaskPushNotificationConfigRequest,
  type GetTaskRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTasksRequest,
  type SendMessageRequest,
  type SubscribeToTaskRequest,
  type TaskPushNotificationConfig,
} from '../gen/a2a_pb.js';
import { CallLog } from './call-log.js';
import { DefaultRequestHandler } from './default-request-handler.js';
import { type IncomingCall, RequestHandler } from './request-handler.js';

/** The handler that wires get: the real one, with one line in the log for each call. */
@Injectable()
export class LoggedRequestHandler extends RequestHandler {
  constructor(
    private readonly handler: DefaultRequestHandler,
    private readonly log: CallLog,
  ) {
    super();
  }

  sendMessage(request: SendMessageRequest, call: IncomingCall) {
    return this.log.unary('SendMessage', request, call, this.handler.sendMessage(request, call));
  }

  sendStreamingMessage(request: SendMessageRequest, call: IncomingCall) {
    return this.log.streaming('SendStreamingMessage', request, call, this.handler.sendStreamingMessage(request, call));
  }

  getTask(request: GetTaskRequest, call: IncomingCall) {
    return this.log.unary('GetTask', request, call, this.handler.getTask(request, call));
  }

  listTasks(request: ListTasksRequest, call: IncomingCall) {
    return this.log.unary('ListTasks', request, call, this.handler.listTasks(request, call));
  }

  cancelTask(request: CancelTaskRequest, call: IncomingCall) {
    return this.log.unary('CancelTask', request, call, this.handler.cancelTask(request, call));
  }

  subscribeToTask(request: SubscribeToTaskRequest, call: IncomingCall) {
    return this.log.streaming('SubscribeToTask', request, call, this.handler.subscribeToTask(request, call));
  }

  createTaskPushNotificationConfig(request: TaskPushNotificationConfig, call: IncomingCall) {
    const answer = this.handler.createTaskPushNotificationConfig(request, call);
    return this.log.unary('CreateTaskPushNotificationConfig', request, call, answer);
  }

  getTaskPushNotificationConfig(request: GetTaskPushNotificationConfigRequest, call: IncomingCall) {
    const answer = this.handler.getTaskPushNotificationConfig(request, call);
    return this.log.unary('GetTaskPushNotificationConfig', request, call, answer);
  }

  listTaskPushNotificationConfigs(request: ListTaskPushNotificationConfigsRequest, call: IncomingCall) {
    const answer = this.handler.listTaskPushNotificationConfigs(request, call);
    return this.log.unary('ListTaskPushNotificationConfigs', request, call, answer);
  }

  getExtendedAgentCard(request: GetExtendedAgentCardRequest, call: IncomingCall) {
    return this.log.unary('GetExtendedAgentCard', request, call, this.handler.getExtendedAgentCard(request, call));
  }

  deleteTaskPushNotificationConfig(request: DeleteTaskPushNotificationConfigRequest, call: IncomingCall) {
    const answer = this.handler.deleteTaskPushNotificationConfig(request, call);
    return this.log.unary('DeleteTaskPushNotificationConfig', request, call, answer);
  }
}
