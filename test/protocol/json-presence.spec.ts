import { create, type JsonValue, toJson } from '@bufbuild/protobuf';
import { EmptySchema } from '@bufbuild/protobuf/wkt';
import {
  AgentCapabilitiesSchema,
  AgentCardSchema,
  ListTasksRequestSchema,
  ListTasksResponseSchema,
  messageFromJson,
  OAuthFlowsSchema,
  SendMessageConfigurationSchema,
  SendMessageRequestSchema,
  SendMessageResponseSchema,
  TaskArtifactUpdateEventSchema,
} from '@a2a/a2a-core';
import { roundTrip, write, refusal, refusedField } from './json-form.js';

describe('presence', () => {
  it('leaves out implicit members at their default [SER-11]', () => {
    const event = { taskId: 't', contextId: 'c', artifact: { artifactId: 'a' }, append: false, lastChunk: false };
    expect(write(TaskArtifactUpdateEventSchema, event)).toEqual({ taskId: 't', contextId: 'c', artifact: { artifactId: 'a' } });
  });

  it('writes explicit members that are set, defaults included [SER-11] [HIST-04]', () => {
    expect(write(SendMessageConfigurationSchema, { historyLength: 0 })).toEqual({ historyLength: 0 });
    expect(write(ListTasksRequestSchema, { pageSize: 0, historyLength: 0, includeArtifacts: false })).toEqual({
      pageSize: 0,
      historyLength: 0,
      includeArtifacts: false,
    });
    expect(write(AgentCapabilitiesSchema, { streaming: false })).toEqual({ streaming: false });
  });

  it('tells an unset historyLength from 0 [HIST-04]', () => {
    expect(messageFromJson(SendMessageConfigurationSchema, {}).historyLength).toBeUndefined();
    expect(messageFromJson(SendMessageConfigurationSchema, { historyLength: 0 }).historyLength).toBe(0);
  });

  it('writes a page without tasks in full [SER-15] [LIST-05]', () => {
    expect(write(ListTasksResponseSchema, {})).toEqual({ tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 });
  });

  it('writes the members a card must have, empty ones included [SER-14] [CARD-05]', () => {
    expect(write(AgentCardSchema, { name: 'n', version: '1', capabilities: {} })).toEqual({
      name: 'n',
      description: '',
      supportedInterfaces: [],
      version: '1',
      capabilities: {},
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [],
    });
  });

  it('writes empty required members deep inside a card [SER-14] [SEC-10]', () => {
    const flow = { authorizationUrl: 'https://as.example/a', tokenUrl: 'https://as.example/t', scopes: {} };
    const card = roundTrip(AgentCardSchema, {
      provider: { organization: 'o', url: '' },
      securitySchemes: { o: { oauth2SecurityScheme: { flows: { authorizationCode: flow } } }, m: { mtlsSecurityScheme: {} } },
      securityRequirements: [{ schemes: { m: {} } }],
    });
    expect(card).toMatchObject({
      provider: { organization: 'o', url: '' },
      securitySchemes: { o: { oauth2SecurityScheme: { flows: { authorizationCode: flow } } }, m: { mtlsSecurityScheme: {} } },
      securityRequirements: [{ schemes: { m: {} } }],
    });
  });

  it('writes the send result as a wrapper with one member [SEND-01] [SER-09]', () => {
    expect(write(SendMessageResponseSchema, { payload: { case: 'task', value: { id: 't' } } })).toEqual({ task: { id: 't' } });
    expect(write(SendMessageResponseSchema, { payload: { case: 'message', value: { messageId: 'm' } } })).toEqual({
      message: { messageId: 'm' },
    });
  });

  it('writes Empty as {} [SER-20]', () => {
    expect(toJson(EmptySchema, create(EmptySchema))).toEqual({});
  });
});

describe('scalars', () => {
  it.each([5, '5', 5.0, 5])('reads pageSize %j as 5 [SER-19]', (pageSize) => {
    expect(messageFromJson(ListTasksRequestSchema, { pageSize }).pageSize).toBe(5);
  });

  it.each([5.5, '5.5', 'abc', '', ' 5', true, [5], {}, 2_147_483_648, '1e3x'])('refuses pageSize %j [LIST-08]', (pageSize) => {
    expect(refusedField(ListTasksRequestSchema, { pageSize } as JsonValue)).toBe('pageSize');
  });

  it.each(['true', 1, 0, '', {}])('refuses includeArtifacts %j [LIST-08]', (includeArtifacts) => {
    expect(refusedField(ListTasksRequestSchema, { includeArtifacts } as JsonValue)).toBe('includeArtifacts');
  });

  it.each([5, true, [], {}])('refuses messageId %j [SEND-08]', (messageId) => {
    expect(refusedField(SendMessageRequestSchema, { message: { messageId } } as JsonValue)).toBe('message.messageId');
  });

  it.each(['x', 5, true, []])('refuses message %j [SEND-08]', (message) => {
    expect(refusedField(SendMessageRequestSchema, { message } as JsonValue)).toBe('message');
  });

  it.each([{ parts: {} }, { parts: 'x' }, { parts: [null] }])('refuses %j [SEND-08]', (message) => {
    expect(refusedField(SendMessageRequestSchema, { message } as JsonValue)).toMatch(/^message\.parts/);
  });

  it.each(['x', 5, true, []])('refuses a request that is %j', (json) => {
    expect(refusal(SendMessageRequestSchema, json).reason).toBe('INVALID_PARAMS');
  });

  it('refuses two flows in one oauth2 scheme [A-28]', () => {
    expect(refusal(OAuthFlowsSchema, { implicit: {}, password: {} }).reason).toBe('INVALID_PARAMS');
  });

  it('names neither the parser nor its types in a refusal [ERR-10]', () => {
    const { message } = refusal(SendMessageRequestSchema, { message: { messageId: 5 } });
    expect(message).not.toMatch(/lf\.a2a\.v1|protobuf|ScalarType|cannot decode/);
  });
});
