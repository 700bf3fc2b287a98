import { type JsonValue } from '@bufbuild/protobuf';
import {
  ListTasksRequestSchema,
  messageFromJson,
  MessageSchema,
  PartSchema,
  Role,
  SendMessageRequestSchema,
  TaskArtifactUpdateEventSchema,
  TaskSchema,
  TaskState,
  TaskStatusSchema,
  TaskStatusUpdateEventSchema,
} from '@a2a/a2a-core';
import { roundTrip, write, refusal, refusedField } from './json-form.js';

describe('member names', () => {
  it('writes lowerCamelCase and never proto names [SER-01]', () => {
    const json = write(MessageSchema, { messageId: 'm', taskId: 't', contextId: 'c', role: Role.USER, referenceTaskIds: ['r'] });
    expect(json).toEqual({ messageId: 'm', taskId: 't', contextId: 'c', role: 'ROLE_USER', referenceTaskIds: ['r'] });
  });

  it('reads lowerCamelCase and proto names alike, at every depth [SER-02]', () => {
    const expected = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x', mediaType: 'text/plain' }] } };
    expect(roundTrip(SendMessageRequestSchema, expected)).toEqual(expected);
    const snake = { message: { message_id: 'm', role: 'ROLE_USER', parts: [{ text: 'x', media_type: 'text/plain' }] } };
    expect(roundTrip(SendMessageRequestSchema, snake)).toEqual(expected);
  });

  it('refuses both spellings of one member and names it [SER-02]', () => {
    expect(refusedField(MessageSchema, { messageId: 'a', message_id: 'b' })).toBe('messageId');
    expect(
      refusedField(SendMessageRequestSchema, { message: { parts: [{ text: 'x' }, { text: 'x', mediaType: 'a', media_type: 'a' }] } }),
    ).toBe('message.parts[1].mediaType');
  });

  it('ignores unknown members at every depth [SER-16]', () => {
    const json = { future: 1, message: { kind: 'message', messageId: 'm', parts: [{ kind: 'text', text: 'x', later: {} }] } };
    expect(roundTrip(SendMessageRequestSchema, json)).toEqual({ message: { messageId: 'm', parts: [{ text: 'x' }] } });
  });

  it('reads null as unset, and a null request as an empty one [SER-11]', () => {
    expect(roundTrip(MessageSchema, { messageId: 'm', contextId: null, parts: null, metadata: null })).toEqual({ messageId: 'm' });
    expect(roundTrip(ListTasksRequestSchema, null)).toEqual({});
  });

  it('writes none of the members of other versions [SER-21]', () => {
    const ids = { taskId: 't', contextId: 'c' };
    expect(write(TaskStatusUpdateEventSchema, { ...ids, status: { state: TaskState.COMPLETED } })).toEqual({
      ...ids,
      status: { state: 'TASK_STATE_COMPLETED' },
    });
    expect(write(TaskArtifactUpdateEventSchema, { ...ids, artifact: { artifactId: 'a' } })).toEqual({
      ...ids,
      artifact: { artifactId: 'a' },
    });
    expect(write(TaskSchema, { id: 't' })).toEqual({ id: 't' });
  });
});

describe('enums', () => {
  it('writes proto names [SER-03]', () => {
    expect(write(TaskStatusSchema, { state: TaskState.INPUT_REQUIRED })).toEqual({ state: 'TASK_STATE_INPUT_REQUIRED' });
  });

  it('reads names and known numbers [SER-03]', () => {
    expect(messageFromJson(ListTasksRequestSchema, { status: 'TASK_STATE_WORKING' }).status).toBe(TaskState.WORKING);
    expect(messageFromJson(ListTasksRequestSchema, { status: 2 }).status).toBe(TaskState.WORKING);
  });

  it.each(['working', 'TASK_STATE_CANCELLED', 'task_state_working', '', 99, -1, 2.5, true, {}, []])('refuses %j [SER-03]', (status) => {
    expect(refusedField(ListTasksRequestSchema, { status } as JsonValue)).toBe('status');
  });

  it('refuses an unknown name deep inside a request instead of dropping it [SER-03]', () => {
    expect(refusedField(SendMessageRequestSchema, { message: { messageId: 'm', role: 'user' } })).toBe('message.role');
  });
});

describe('timestamps', () => {
  const read = (text: string): JsonValue => roundTrip(ListTasksRequestSchema, { statusTimestampAfter: text });

  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z'],
    ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02T03:04:05.600Z', '2026-01-02T03:04:05.600Z'],
    ['2026-01-02T03:04:05.123456789Z', '2026-01-02T03:04:05.123456789Z'],
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05Z'],
    ['2026-01-01T23:30:00.5-01:00', '2026-01-02T00:30:00.500Z'],
  ])('reads %s and writes %s [SER-04] [SER-05] [SER-07]', (text, written) => {
    expect(read(text)).toEqual({ statusTimestampAfter: written });
  });

  it.each(['2026-01-02T03:04:05', '2026-01-02', 'yesterday', '', '2026-13-02T03:04:05Z', '2026-01-02T03:04:05.1234567890Z'])(
    'refuses %j [SER-07]',
    (text) => {
      expect(refusedField(ListTasksRequestSchema, { statusTimestampAfter: text })).toBe('statusTimestampAfter');
    },
  );

  it('refuses a number [SER-07]', () => {
    expect(refusedField(ListTasksRequestSchema, { statusTimestampAfter: 1767323045 })).toBe('statusTimestampAfter');
  });
});

describe('parts', () => {
  it.each([
    ['standard', '+/+/+w=='],
    ['standard without padding', '+/+/+w'],
    ['URL-safe', '-_-_-w=='],
    ['URL-safe without padding', '-_-_-w'],
  ])('reads %s base64 and writes standard with padding [SER-08]', (_, raw) => {
    expect(roundTrip(PartSchema, { raw })).toEqual({ raw: '+/+/+w==' });
  });

  it.each(['%%%', 'ab*d', 'a', 'YWJj\u0000'])('refuses %j as base64 [SER-08]', (raw) => {
    expect(refusal(SendMessageRequestSchema, { message: { parts: [{ raw }] } }).reason).toBe('INVALID_PARAMS');
  });

  it.each<JsonValue>([
    { text: 'a', url: 'b' },
    { text: '', data: null },
    { raw: '', text: '' },
  ])('refuses two contents: %j [SER-09]', (part) => {
    expect(refusal(PartSchema, part).reason).toBe('INVALID_PARAMS');
  });

  it.each<JsonValue>([null, 0, '', false, [], {}, { a: [1, null, { b: 'c' }] }, 'text', 1.5])(
    'keeps data %j as a set content [SER-10]',
    (data) => {
      expect(messageFromJson(PartSchema, { data }).content.case).toBe('data');
      expect(roundTrip(PartSchema, { data })).toEqual({ data });
    },
  );

  it.each<JsonValue>([{ text: '' }, { raw: '' }, { url: '' }])('keeps the empty content %j [SER-10]', (part) => {
    expect(roundTrip(PartSchema, part)).toEqual(part);
  });

  it('keeps metadata as it is, doubles and nulls included [SER-18]', () => {
    const part = { text: 'x', metadata: { s: 'a', n: 1.25, big: 9007199254740991, nil: null, list: [{ deep: true }] } };
    expect(roundTrip(PartSchema, part)).toEqual(part);
  });

  it('keeps a __proto__ key as data and pollutes nothing [SER-18]', () => {
    const part = JSON.parse('{"data":{"__proto__":{"polluted":1}},"metadata":{"__proto__":{"polluted":1}}}') as JsonValue;
    expect(JSON.stringify(roundTrip(PartSchema, part))).toBe(JSON.stringify(part));
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it('refuses data nested beyond what the parser follows, without running out of stack', () => {
    const deep = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`) as JsonValue;
    expect(refusal(PartSchema, { data: deep }).reason).toBe('INVALID_PARAMS');
  });
});
