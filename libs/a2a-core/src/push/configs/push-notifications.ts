import {
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  type ListTaskPushNotificationConfigsRequest,
  type ListTaskPushNotificationConfigsResponse,
  type TaskPushNotificationConfig,
} from '../../gen/a2a_pb.js';
import { type CallContext } from '../../call/call-context.js';

/** How a config is stored that came with a message. */
export interface InlineRegistration {
  /** Events behind this version of the task are sent; default: those from now on (A2A §3.1.7). */
  readonly afterVersion?: number;
}

/**
 * Webhook registrations of tasks (A2A §3.1.7–§3.1.10). Whoever calls has checked that the task exists within the call's scope.
 *
 * A host without a provider of this port cannot declare `pushNotifications`.
 */
export abstract class PushNotifications {
  /**
   * Stores a config, or replaces one of the same task and id.
   *
   * @param inline for a config that came with a message and was checked then
   * @returns the config with its id, secrets included: their only way out
   * @throws {InvalidParamsError} for a target, scheme or value that could not be delivered to, or too many configs
   */
  abstract create(config: TaskPushNotificationConfig, call: CallContext, inline?: InlineRegistration): Promise<TaskPushNotificationConfig>;
  /** @throws {TaskNotFoundError} when the task has no such config (A2A §3.1.8) */
  abstract get(request: GetTaskPushNotificationConfigRequest, call: CallContext): Promise<TaskPushNotificationConfig>;
  /** The task has a config of this id, in whatever state. */
  abstract has(config: TaskPushNotificationConfig, call: CallContext): Promise<boolean>;
  abstract list(request: ListTaskPushNotificationConfigsRequest, call: CallContext): Promise<ListTaskPushNotificationConfigsResponse>;
  /** Succeeds for an absent config too. */
  abstract delete(request: DeleteTaskPushNotificationConfigRequest, call: CallContext): Promise<void>;
  /** Refuses a config that came with a message before any task exists. @throws {InvalidParamsError} */
  abstract check(config: TaskPushNotificationConfig, call: CallContext): Promise<void>;
}
