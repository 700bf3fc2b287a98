import { type OperationName } from '@a2a/a2a-core';

/** A ready table for `operationScopes`: five scopes for eleven operations. Nothing is asked until it is given to the module or an agent. */
export const A2A_OPERATION_SCOPES: Readonly<Record<OperationName, readonly string[]>> = {
  SendMessage: ['a2a.send'],
  SendStreamingMessage: ['a2a.send'],
  GetTask: ['a2a.read'],
  ListTasks: ['a2a.read'],
  SubscribeToTask: ['a2a.read'],
  CancelTask: ['a2a.cancel'],
  CreateTaskPushNotificationConfig: ['a2a.push'],
  GetTaskPushNotificationConfig: ['a2a.push'],
  ListTaskPushNotificationConfigs: ['a2a.push'],
  DeleteTaskPushNotificationConfig: ['a2a.push'],
  GetExtendedAgentCard: ['a2a.card'],
};
