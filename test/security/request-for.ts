import { type JsonObject } from '@bufbuild/protobuf';
import { type OperationName } from '@a2a/a2a-core';
import { say } from '../conformance/requests.js';

/** A request that every wire can carry, the same each time. */
export function requestFor(operation: OperationName): JsonObject {
  switch (operation) {
    case 'SendMessage':
    case 'SendStreamingMessage':
      return say('/task', { messageId: 'm' });
    case 'ListTasks':
    case 'GetExtendedAgentCard':
      return {};
    case 'CreateTaskPushNotificationConfig':
      return { taskId: 't', url: 'https://example.com' };
    case 'ListTaskPushNotificationConfigs':
      return { taskId: 't' };
    case 'GetTaskPushNotificationConfig':
    case 'DeleteTaskPushNotificationConfig':
      return { taskId: 't', id: 'c' };
    default:
      return { id: 't' };
  }
}
