import { Injectable, Optional } from '@nestjs/common';
import { create } from '@bufbuild/protobuf';
import { type Empty, EmptySchema } from '@bufbuild/protobuf/wkt';
import { type CallContext } from '../call/call-context.js';
import {
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type TaskPushNotificationConfig,
} from '../gen/a2a_pb.js';
import { InvalidParamsError, PushNotificationNotSupportedError, TaskNotFoundError } from '../protocol/errors.js';
import { PushNotifications } from '../push/configs/push-notifications.js';
import { TaskRepository } from '../tasks/task-repository.js';

/** The four operations on webhook registrations: the task has to be the caller's, the rest is the port's (A2A §3.1.7–§3.1.10). */
@Injectable()
export class PushConfigs {
  constructor(
    private readonly repository: TaskRepository,
    @Optional() private readonly port?: PushNotifications,
  ) {}

  async create(config: TaskPushNotificationConfig, call: CallContext): Promise<TaskPushNotificationConfig> {
    if (!config.taskId) throw InvalidParamsError.of('taskId', 'required');
    return (await this.#for(config.taskId, call)).create(config, call);
  }

  async get(request: GetTaskPushNotificationConfigRequest, call: CallContext): Promise<TaskPushNotificationConfig> {
    return (await this.#for(request.taskId, call)).get(request, call);
  }

  async list(request: ListTaskPushNotificationConfigsRequest, call: CallContext): Promise<ListTaskPushNotificationConfigsResponse> {
    return (await this.#for(request.taskId, call)).list(request, call);
  }

  async delete(request: DeleteTaskPushNotificationConfigRequest, call: CallContext): Promise<Empty> {
    await (await this.#for(request.taskId, call)).delete(request, call);
    return create(EmptySchema);
  }

  async #for(taskId: string, call: CallContext): Promise<PushNotifications> {
    if (!this.port) throw new PushNotificationNotSupportedError();
    const known = await this.repository.findMany(call.scope, [{ taskId, knownVersion: Number.MAX_SAFE_INTEGER }]);
    if (known.length === 0) throw new TaskNotFoundError(taskId);
    return this.port;
  }
}
