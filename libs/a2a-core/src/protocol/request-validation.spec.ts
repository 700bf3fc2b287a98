import { create, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import {
  GetTaskRequestSchema,
  ListTasksRequestSchema,
  Role,
  SendMessageRequestSchema,
  TaskPushNotificationConfigSchema,
} from '../gen/a2a_pb.js';
import { InvalidParamsError } from './errors.js';
import { checkRequired } from './request-validation.js';

function missing<Desc extends DescMessage>(schema: Desc, init: MessageInitShape<Desc>): string[] {
  try {
    checkRequired(schema, create(schema, init));
    return [];
  } catch (error) {
    if (!(error instanceof InvalidParamsError)) throw error;
    return (error.details.fieldViolations ?? []).map(({ field }) => field);
  }
}

const TEXT = { content: { case: 'text' as const, value: '' } };

describe('checkRequired', () => {
  it('accepts a message that has all it needs, an empty text among it [SER-10] [SER-12]', () => {
    expect(missing(SendMessageRequestSchema, { message: { messageId: 'm', role: Role.USER, parts: [TEXT] } })).toEqual([]);
    expect(missing(ListTasksRequestSchema, {})).toEqual([]);
  });

  it('names every member that is missing, in one go [SER-13] [GRPC-05] [ERR-08]', () => {
    expect(missing(SendMessageRequestSchema, {})).toEqual(['message']);
    expect(missing(SendMessageRequestSchema, { message: {} })).toEqual(['message.messageId', 'message.role', 'message.parts']);
    expect(missing(GetTaskRequestSchema, {})).toEqual(['id']);
  });

  it('refuses a part without content, wherever it is [SER-09]', () => {
    const message = { messageId: 'm', role: Role.USER, parts: [TEXT, { mediaType: 'text/plain' }, TEXT, {}] };
    expect(missing(SendMessageRequestSchema, { message })).toEqual(['message.parts[1]', 'message.parts[3]']);
  });

  it('looks into nested messages [SER-12]', () => {
    expect(missing(TaskPushNotificationConfigSchema, { authentication: {} })).toEqual(['url', 'authentication.scheme']);
  });

  it('does not answer a flood with a flood', () => {
    const message = { messageId: 'm', role: Role.USER, parts: Array.from({ length: 500 }, () => ({})) };
    expect(missing(SendMessageRequestSchema, { message })).toHaveLength(20);
  });
});
