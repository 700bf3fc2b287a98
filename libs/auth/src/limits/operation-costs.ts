import { type OperationName } from '@a2a/a2a-core';

/**
 * What each operation takes from a rate. Measured in reads: what makes an agent work costs ten, what keeps a connection or asks other
 * machines costs five.
 */
export const OPERATION_COSTS: Readonly<Record<OperationName, number>> = {
  SendMessage: 10,
  SendStreamingMessage: 10,
  CancelTask: 5,
  SubscribeToTask: 5,
  CreateTaskPushNotificationConfig: 5,
  ListTasks: 2,
  GetTask: 1,
  GetTaskPushNotificationConfig: 1,
  ListTaskPushNotificationConfigs: 1,
  DeleteTaskPushNotificationConfig: 1,
  GetExtendedAgentCard: 1,
};
