import { ListTasksRequestSchema, SendMessageRequestSchema } from '@a2a/a2a-core';
import { protoFieldPath } from './field-path.js';

describe('protoFieldPath [GRPC-05]', () => {
  it.each([
    ['message.parts[12].mediaType', 'message.parts[12].media_type'],
    ['message.messageId', 'message.message_id'],
    ['configuration.taskPushNotificationConfig.taskId', 'configuration.task_push_notification_config.task_id'],
    ['message.referenceTaskIds[3]', 'message.reference_task_ids[3]'],
    ['message', 'message'],
    ['', ''],
  ])('names %s %s', (json, proto) => {
    expect(protoFieldPath(SendMessageRequestSchema, json)).toBe(proto);
  });

  it.each(['message.metadata.someKey.parts', 'metadata.messageId', 'A2A-Version', 'Last-Event-ID', 'message.nothingOfOurs.mediaType'])(
    'leaves %s, which is no field, as it is',
    (path) => {
      expect(protoFieldPath(SendMessageRequestSchema, path)).toBe(path);
    },
  );

  it('knows the fields of the request at hand only', () => {
    expect(protoFieldPath(ListTasksRequestSchema, 'statusTimestampAfter')).toBe('status_timestamp_after');
    expect(protoFieldPath(SendMessageRequestSchema, 'statusTimestampAfter')).toBe('statusTimestampAfter');
  });
});
