import { randomUUID } from 'node:crypto';
import {
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTasksRequest,
  type Message,
  SendMessageRequest,
  type StreamResponse,
  SubscribeToTaskRequest,
  type Task,
  TaskPushNotificationConfig,
  TaskState,
} from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
  ServiceParameters,
  type TransportFactory,
  withA2AExtensions,
  withA2AVersion,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { A2AError } from '@a2a-js/sdk/errors';
import { clockTick } from '../conformance/requests.js';
import { type Host, startHost } from '../support/host.js';
import { WebhookSink } from '../support/webhook-sink.js';

const TRANSPORTS: readonly [name: string, make: () => TransportFactory][] = [
  ['JSONRPC', () => new JsonRpcTransportFactory()],
  ['HTTP+JSON', () => new RestTransportFactory()],
  ['GRPC', () => new GrpcTransportFactory()],
];

/** The client refuses by itself what the card does not offer, so these are asked for below it, where versions are not added. */
const versioned = { serviceParameters: ServiceParameters.create(withA2AVersion('1.0')) };

describe.each(['express', 'fastify'])('With %s,', (adapter) => {
  let host: Host;
  beforeAll(async () => {
    host = await startHost({ env: { A2A_CONFORMANCE_AGENT: '1', HTTP_ADAPTER: adapter } });
  });
  afterAll(async () => {
    await host?.stop();
  });

  describe.each(TRANSPORTS)('the official JavaScript client over %s', (name, make) => {
    let client: Client;
    beforeAll(async () => {
      const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
        transports: [make()],
        preferredTransports: [name],
        cardResolver: new DefaultAgentCardResolver(),
      });
      client = await new ClientFactory(options).createFromUrl(host.httpUrl);
    });

    it('resolves the card and takes this transport from it [CARD-20]', async () => {
      expect(client.transport.protocolName).toBe(name);
      expect(client.protocolVersion).toBe('1.0');
      expect((await client.getAgentCard()).name).toBe('Conformance Agent');
    });

    it('sends a message and gets a message [SEND-01]', async () => {
      const answer = (await client.sendMessage(say('/echo hello'))) as Message;
      expect(answer.parts[0]?.content).toEqual({ $case: 'text', value: 'hello' });
    });

    it('sends a message and gets a finished task with its artifact [EXEC-01]', async () => {
      const task = await run('/task');
      expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
      expect(task.artifacts[0]?.parts[0]?.content).toEqual({ $case: 'text', value: 'ok' });
      expect(Number.isNaN(Date.parse(task.status?.timestamp ?? ''))).toBe(false);
    });

    it('sends and gets every kind of part [SER-08] [SER-10]', async () => {
      const parts = [
        { text: 'ż' },
        { raw: 'AP/+', filename: 'a.bin', mediaType: 'application/octet-stream' },
        { url: 'https://a.example/x', mediaType: 'text/plain' },
        { data: { n: [1.5, null, true] } },
      ];
      const task = (await client.sendMessage(say('', { parts, metadata: { k: { deep: [1] } } }))) as Task;
      expect(task.history[0]?.metadata).toEqual({ k: { deep: [1] } });
      expect(task.history[0]?.parts.map(({ content }) => content)).toEqual([
        { $case: 'text', value: 'ż' },
        { $case: 'raw', value: Buffer.from([0, 255, 254]) },
        { $case: 'url', value: 'https://a.example/x' },
        { $case: 'data', value: { n: [1.5, null, true] } },
      ]);
    });

    it('streams a task from its first state to its last [STRM-01]', async () => {
      const items = await all(client.sendMessageStream(say('/stream n=10 bytes=20')));
      expect(kinds(items)[0]).toBe('task');
      expect(kinds(items).filter((kind) => kind === 'artifactUpdate')).toHaveLength(10);
      expect(lastState(items)).toBe(TaskState.TASK_STATE_COMPLETED);
    });

    it('streams a direct message [STRM-01]', async () => {
      expect(kinds(await all(client.sendMessageStream(say('/echo hello'))))).toEqual(['message']);
    });

    it('answers a question and goes on with the task [TURN-12]', async () => {
      const asked = await run('/ask');
      expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
      const answered = (await client.sendMessage(say('an answer', { taskId: asked.id, contextId: asked.contextId }))) as Task;
      expect(answered).toMatchObject({ id: asked.id, status: { state: TaskState.TASK_STATE_COMPLETED } });
    });

    it('reads a task, with as much history as it wants [GET-01] [HIST-01]', async () => {
      const { id } = await run('/task');
      expect((await client.getTask(GetTaskRequest.fromJSON({ id }))).history).not.toEqual([]);
      expect((await client.getTask(GetTaskRequest.fromJSON({ id, historyLength: 0 }))).history).toEqual([]);
    });

    it('pages through tasks [LIST-03]', async () => {
      const contextId = randomUUID();
      const expected: string[] = [];
      for (let i = 0; i < 5; i++) {
        expected.unshift((await run('/task', { contextId })).id);
        await clockTick();
      }
      const seen: string[] = [];
      let pageToken = '';
      do {
        const page = await client.listTasks(ListTasksRequest.fromJSON({ contextId, pageSize: 2, pageToken }));
        expect([page.totalSize, page.pageSize]).toEqual([5, 2]);
        seen.push(...page.tasks.map(({ id }) => id));
        pageToken = page.nextPageToken;
      } while (pageToken);
      expect(seen).toEqual(expected);
    });

    it('lists by state and time, with artifacts when it asks [LIST-01] [LIST-06]', async () => {
      const contextId = randomUUID();
      const { status } = await run('/task', { contextId });
      const filters = { contextId, status: 'TASK_STATE_COMPLETED', statusTimestampAfter: status?.timestamp, includeArtifacts: true };
      const page = await client.listTasks(ListTasksRequest.fromJSON(filters));
      expect(page.tasks.map(({ artifacts }) => artifacts.length)).toEqual([1]);
    });

    it('subscribes to a running task and sees it cancelled [SUBS-01] [CANC-01]', async () => {
      const { id } = await start('/sleep ms=60000');
      const reading = client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id }));
      const first = await reading.next();
      expect(first.value?.payload).toMatchObject({ $case: 'task', value: { id } });
      expect((await client.cancelTask(CancelTaskRequest.fromJSON({ id }))).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
      expect(lastState(await all(reading))).toBe(TaskState.TASK_STATE_CANCELED);
    });

    it('leaves a stream and subscribes again [DLV-06]', async () => {
      const stream = client.sendMessageStream(say('/stream n=100000 bytes=8 every=20'));
      const first = (await stream.next()).value as StreamResponse;
      await stream.return();
      const id = first.payload?.$case === 'task' ? first.payload.value.id : '';
      const again = client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id }));
      expect((await again.next()).value?.payload).toMatchObject({ $case: 'task', value: { id } });
      await client.cancelTask(CancelTaskRequest.fromJSON({ id }));
      expect(lastState(await all(again))).toBe(TaskState.TASK_STATE_CANCELED);
    });

    it('understands our errors by their names [ERR-03] [ERR-43]', async () => {
      const done = await run('/task');
      expect(await nameOf(client.getTask(GetTaskRequest.fromJSON({ id: randomUUID() })))).toBe('TASK_NOT_FOUND');
      expect(await nameOf(client.cancelTask(CancelTaskRequest.fromJSON({ id: done.id })))).toBe('TASK_NOT_CANCELABLE');
      expect(await nameOf(client.sendMessage(say('more', { taskId: done.id })))).toBe('UNSUPPORTED_OPERATION');
      expect(await nameOf(all(client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id: done.id }))))).toBe('UNSUPPORTED_OPERATION');
      const alien = say('', { parts: [{ text: 'x', mediaType: 'application/x-nobody' }] });
      expect(await nameOf(client.sendMessage(alien))).toBe('CONTENT_TYPE_NOT_SUPPORTED');
    });

    it('registers a webhook, reads it, lists it, deletes it, and gets updates there meanwhile [PCRE-01] [PUSH-10]', async () => {
      const sink = await WebhookSink.start();
      const { id: taskId, contextId } = await run('/ask');
      const config = TaskPushNotificationConfig.fromJSON({ taskId, id: 'c', url: sink.url(), token: 'mine' });
      expect(await client.createTaskPushNotificationConfig(config)).toMatchObject({ taskId, id: 'c', token: 'mine' });
      const both = { taskId, id: 'c' };
      expect(await client.getTaskPushNotificationConfig(GetTaskPushNotificationConfigRequest.fromJSON(both))).toMatchObject(both);
      const listed = await client.listTaskPushNotificationConfig(ListTaskPushNotificationConfigsRequest.fromJSON({ taskId }));
      expect(listed.configs.map(({ id }) => id)).toEqual(['c']);
      await client.sendMessage(say('an answer', { taskId, contextId }));
      await sink.until(() => sink.posts.at(-1)?.item.statusUpdate?.status.state === 'TASK_STATE_COMPLETED');
      expect(sink.posts[0]?.headers['x-a2a-notification-token']).toBe('mine');
      await client.deleteTaskPushNotificationConfig(DeleteTaskPushNotificationConfigRequest.fromJSON(both));
      const gone = client.getTaskPushNotificationConfig(GetTaskPushNotificationConfigRequest.fromJSON(both));
      expect(await nameOf(gone)).toBe('TASK_NOT_FOUND');
      await sink.stop();
    });

    it('is told that there is no extended card [CAP-04]', async () => {
      expect(await nameOf(client.transport.getExtendedAgentCard({ tenant: '' }, versioned))).toBe('UNSUPPORTED_OPERATION');
    });

    it('may ask for extensions that nobody knows [EXT-04]', async () => {
      const serviceParameters = ServiceParameters.create(withA2AExtensions('urn:unknown'));
      expect(await client.sendMessage(say('/echo hi'), { serviceParameters })).toMatchObject({ parts: [{ content: { value: 'hi' } }] });
    });

    async function run(text: string, extras: object = {}): Promise<Task> {
      return (await client.sendMessage(say(text, extras))) as Task;
    }

    async function start(text: string): Promise<Task> {
      return (await client.sendMessage(say(text, {}, { returnImmediately: true }))) as Task;
    }
  });

  describe('the official JavaScript client on a host with several agents', () => {
    it.each(TRANSPORTS)('reaches each agent by its own card over %s [CARD-09] [CARD-20]', async (name, make) => {
      const factory = new ClientFactory({ transports: [make()], preferredTransports: [name] });
      const echo = await factory.createFromUrl(host.httpUrl, '/agents/echo/.well-known/agent-card.json');
      const analyst = await factory.createFromUrl(host.httpUrl, '/agents/incident-analyst/.well-known/agent-card.json');
      expect((await echo.getAgentCard()).name).not.toBe((await analyst.getAgentCard()).name);
      const answer = await echo.sendMessage(say('to the echo agent'));
      expect(JSON.stringify(answer)).toContain('to the echo agent');
    });
  });
});

function say(text: string, extras: object = {}, configuration?: object): SendMessageRequest {
  return SendMessageRequest.fromJSON({
    message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...extras },
    configuration,
  });
}

async function all(stream: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const items: StreamResponse[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

function kinds(items: readonly StreamResponse[]): (string | undefined)[] {
  return items.map(({ payload }) => payload?.$case);
}

function lastState(items: readonly StreamResponse[]): TaskState | undefined {
  const payload = items.at(-1)?.payload;
  return payload?.$case === 'statusUpdate' ? payload.value.status?.state : undefined;
}

/** The reason that the client read off an error. */
async function nameOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof A2AError) return error.reason;
    throw error;
  }
  return 'no error';
}
