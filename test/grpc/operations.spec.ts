import { create } from '@bufbuild/protobuf';
import { EmptySchema } from '@bufbuild/protobuf/wkt';
import { status } from '@grpc/grpc-js';
import {
  AgentCardSchema,
  type GetTaskRequest,
  ListTaskPushNotificationConfigsResponseSchema,
  ListTasksResponseSchema,
  type ListTasksRequest,
  type Operation,
  OPERATIONS,
  SendMessageResponseSchema,
  SingleStreamItem,
  streamResponse,
  statusUpdate,
  TaskPushNotificationConfigSchema,
  TaskSchema,
  TaskState,
  userMessage,
} from '@a2a/a2a-core';
import { type GrpcHost, startGrpcHost } from './support/grpc.host.js';
import { RawGrpcClient, readAll } from './support/grpc.client.js';

const task = create(TaskSchema, { id: 't-1', contextId: 'c-1', status: { state: TaskState.WORKING } });
const config = create(TaskPushNotificationConfigSchema, { id: 'p-1', taskId: 't-1', url: 'https://hooks.example.com' });
const update = statusUpdate({ taskId: 't-1', contextId: 'c-1' }, TaskState.COMPLETED);

async function* items() {
  yield new SingleStreamItem(streamResponse(task), 1);
  yield new SingleStreamItem(streamResponse(update), 2);
}

const ANSWERS: Record<Operation['handler'], () => unknown> = {
  sendMessage: () => create(SendMessageResponseSchema, { payload: { case: 'task', value: task } }),
  sendStreamingMessage: items,
  getTask: () => task,
  listTasks: () => create(ListTasksResponseSchema, { tasks: [task], pageSize: 50, totalSize: 1 }),
  cancelTask: () => task,
  subscribeToTask: items,
  createTaskPushNotificationConfig: () => config,
  getTaskPushNotificationConfig: () => config,
  listTaskPushNotificationConfigs: () => create(ListTaskPushNotificationConfigsResponseSchema, { configs: [config] }),
  getExtendedAgentCard: () => create(AgentCardSchema, { name: 'Echo' }),
  deleteTaskPushNotificationConfig: () => create(EmptySchema),
};

describe('The gRPC wire', () => {
  let host: GrpcHost;
  let client: RawGrpcClient;

  beforeAll(async () => {
    host = await startGrpcHost();
    client = new RawGrpcClient(host.address);
  });
  beforeEach(() => host.requests.reset());
  afterAll(async () => {
    client.close();
    await host.close();
  });

  it.each(OPERATIONS.filter(({ streaming }) => !streaming))('serves $name [GRPC-01, GRPC-03]', async ({ name, handler, output }) => {
    host.requests.scripts = ANSWERS;
    const { code, response } = await client.unary(name, { tenant: 'echo' });
    expect(code).toBe(status.OK);
    expect(response?.$typeName).toBe(output.typeName);
    expect(response).toEqual(ANSWERS[handler]());
    expect(host.requests.received).toEqual([expect.objectContaining({ handler, request: expect.objectContaining({ tenant: 'echo' }) })]);
  });

  it.each(OPERATIONS.filter(({ streaming }) => streaming))('serves $name as a stream [GRPC-01, GRPC-04]', async ({ name }) => {
    host.requests.scripts = ANSWERS;
    const { items: received, ending } = await readAll(client.stream(name, { tenant: 'echo' }));
    expect(ending.code).toBe(status.OK);
    expect(received).toEqual([streamResponse(task), streamResponse(update)]);
  });

  it('keeps what was set and what was not apart [GRPC-06]', async () => {
    host.requests.scripts = ANSWERS;
    await client.unary('GetTask', { id: 't-1', historyLength: 0 });
    await client.unary('GetTask', { id: 't-1' });
    await client.unary('ListTasks', { pageSize: 0, includeArtifacts: false });
    await client.unary('ListTasks');
    const [zero, unset, given, absent] = host.requests.received.map(({ request }) => request) as [
      GetTaskRequest,
      GetTaskRequest,
      ListTasksRequest,
      ListTasksRequest,
    ];
    expect([zero.historyLength, unset.historyLength]).toEqual([0, undefined]);
    expect([given.pageSize, given.includeArtifacts]).toEqual([0, false]);
    expect([absent.pageSize, absent.includeArtifacts]).toEqual([undefined, undefined]);
  });

  it('hands over metadata as service parameters, repeated ones joined [GRPC-02, SVC-03]', async () => {
    host.requests.scripts = ANSWERS;
    await client.unary('GetTask', { id: 't-1' }, { metadata: { 'A2A-Extensions': ['https://a.example/1', 'https://b.example/1'] } });
    const { call } = host.requests.received[0] ?? {};
    expect(call?.binding).toBe('GRPC');
    expect(call?.headers.get('a2a-version')).toBe('1.0');
    expect(call?.headers.get('a2a-extensions')).toBe('https://a.example/1, https://b.example/1');
    expect(call?.remoteAddress).toBe('127.0.0.1');
  });

  it.each(['GetTask', 'SubscribeToTask'] as const)('echoes activated extensions in the initial metadata of %s [EXT-05]', async (name) => {
    host.requests.scripts = ANSWERS;
    host.requests.activatedExtensions = ['https://a.example/1', 'https://b.example/1'];
    const call = name === 'GetTask' ? undefined : client.stream(name, { id: 't-1' });
    const headers = call ? await new Promise((resolve) => call.on('metadata', resolve).resume()) : (await client.unary(name)).headers;
    expect(headers).toMatchObject({});
    expect((headers as { get(key: string): unknown }).get('a2a-extensions')).toEqual(['https://a.example/1, https://b.example/1']);
  });

  it('sends no extensions header when none is active [EXT-05]', async () => {
    host.requests.scripts = ANSWERS;
    const { headers } = await client.unary('GetTask', { id: 't-1' });
    expect(headers.get('a2a-extensions')).toEqual([]);
  });

  it('resumes behind last-event-id', async () => {
    host.requests.scripts = ANSWERS;
    await readAll(client.stream('SubscribeToTask', { id: 't-1' }, { metadata: { 'last-event-id': '17' } }));
    await readAll(client.stream('SubscribeToTask', { id: 't-1' }));
    expect(host.requests.received.map(({ call }) => call.lastEventVersion)).toEqual([17, undefined]);
  });

  it.each(['-1', '1e3', 'abc', '', '1 2'])('refuses last-event-id "%s"', async (value) => {
    host.requests.scripts = ANSWERS;
    const { ending } = await readAll(client.stream('SubscribeToTask', { id: 't-1' }, { metadata: { 'last-event-id': value } }));
    expect(ending.code).toBe(status.INVALID_ARGUMENT);
    expect(ending.badRequest?.fieldViolations[0]?.field).toBe('Last-Event-ID');
    expect(host.requests.received).toEqual([]);
  });

  it('names one connection the same in all its calls, and another otherwise', async () => {
    host.requests.scripts = ANSWERS;
    const other = new RawGrpcClient(host.address);
    await client.unary('GetTask', { id: 't-1' });
    await client.unary('GetTask', { id: 't-1' });
    await other.unary('GetTask', { id: 't-1' });
    other.close();
    const [first, second, third] = host.requests.received.map(({ call }) => call.connectionId);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toBe(first);
    expect(third).toMatch(/^[0-9a-f-]{36}$/);
    expect(third).not.toBe(first);
  });

  it('ignores unknown fields [SER-16]', async () => {
    host.requests.scripts = ANSWERS;
    const unknown = Uint8Array.from([0xa2, 0x1f, 0x03, 0x61, 0x62, 0x63]);
    const { code } = await client.unary('GetTask', Uint8Array.from([0x12, 0x01, 0x74, ...unknown]));
    expect(code).toBe(status.OK);
    expect(host.requests.received[0]?.request).toMatchObject({ id: 't' });
  });

  it('accepts a message with everything in it', async () => {
    host.requests.scripts = ANSWERS;
    const message = userMessage('hello', { metadata: { a: [1, null, { b: 'c' }], d: true } });
    await client.unary('SendMessage', { message });
    expect(host.requests.received[0]?.request).toMatchObject({ message: { metadata: { a: [1, null, { b: 'c' }], d: true } } });
  });
});
