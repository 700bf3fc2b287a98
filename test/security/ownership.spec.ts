import { randomUUID } from 'node:crypto';
import { type JsonObject } from '@bufbuild/protobuf';
import { type OperationName } from '@a2a/a2a-core';
import { type A2aClient } from '../support/clients/a2a-client.js';
import { type TaskJson } from '../support/clients/wire-json.js';
import { type Wire, WIRES } from '../conformance/conformance-host.js';
import { errorOf, outline, reasonOf, say, taskOf } from '../conformance/requests.js';
import { ALL_OPERATIONS, AUDIENCE, type Headers, useProtectedHost } from './protected-host.js';
import { rawAnswer } from './raw-answer.js';

const host = useProtectedHost();

/** The operations that name a task, and what they ask of it. */
const ON_A_TASK: readonly (readonly [OperationName, (id: string) => JsonObject])[] = [
  ['GetTask', (id) => ({ id })],
  ['CancelTask', (id) => ({ id })],
  ['SubscribeToTask', (id) => ({ id })],
  ['SendMessage', (taskId) => say('/task', { messageId: 'm', taskId })],
  ['SendStreamingMessage', (taskId) => say('/task', { messageId: 'm', taskId })],
  ['CreateTaskPushNotificationConfig', (taskId) => ({ taskId, url: 'https://example.com/hook' })],
  ['GetTaskPushNotificationConfig', (taskId) => ({ taskId, id: 'config' })],
  ['ListTaskPushNotificationConfigs', (taskId) => ({ taskId })],
  ['DeleteTaskPushNotificationConfig', (taskId) => ({ taskId, id: 'config' })],
];

/** Alice belongs to two tenants and her tasks are in one; Bob belongs to the same one. */
const ALICE = { sub: 'alice', tenants: ['acme', 'globex'], aud: [AUDIENCE.conformance, AUDIENCE.billing], scope: ALL_OPERATIONS };
const BOB = { ...ALICE, sub: 'bob' };

describe.each(WIRES)('Tasks over %s', (wire: Wire) => {
  let client: A2aClient;
  let elsewhere: A2aClient;
  let alice: Headers;
  let bob: Headers;
  let task: TaskJson;

  /** Over HTTP the URL names the agent; over gRPC it stands in front of the customer. */
  const tenantOf = (tenant: string, agentId = 'conformance'): string => (wire === 'GRPC' ? `${agentId}/${tenant}` : tenant);
  const inAcme = (): JsonObject => ({ tenant: tenantOf('acme') });
  const begin = async (text: string, headers: Headers, extras: JsonObject = {}): Promise<TaskJson> =>
    taskOf(await client.send({ ...say(text, extras, { returnImmediately: true }), ...inAcme() }, { headers }));
  const read = (id: string, headers: Headers): Promise<TaskJson> => client.getTask({ id, ...inAcme() }, { headers });

  beforeAll(async () => {
    client = await host().client('conformance', wire);
    elsewhere = await host().client('billing', wire);
    [alice, bob] = [await host().bearer(ALICE), await host().bearer(BOB)];
    task = await begin('/sleep ms=600000', alice);
  });

  describe('of somebody else are as absent as any [B1] [SECC-05]', () => {
    const relations: readonly (readonly [name: string, agent: () => A2aClient, caller: () => Headers, tenant: () => JsonObject])[] = [
      ['another owner', () => client, () => bob, inAcme],
      ['another tenant of the same owner', () => client, () => alice, () => ({ tenant: tenantOf('globex') })],
      ['no tenant', () => client, () => alice, () => ({})],
      ['a tenant that is not the caller’s', () => client, () => alice, () => ({ tenant: tenantOf('initech') })],
      ['another agent', () => elsewhere, () => alice, () => ({ tenant: tenantOf('acme', 'billing') })],
    ];

    it.each(relations)('to %s, for every operation', async (_, agent, caller, tenant) => {
      for (const [operation, request] of ON_A_TASK) {
        const answerTo = async (id: string): Promise<string> =>
          (await rawAnswer(agent(), operation, { ...request(id), ...tenant() }, caller())).replaceAll(id, '<id>');
        const foreign = await answerTo(task.id);
        expect([operation, foreign]).toEqual([operation, await answerTo(randomUUID())]);
        const servesNoWebhooks = agent() === elsewhere && operation.includes('Push');
        expect(foreign).toContain(servesNoWebhooks ? 'PUSH_NOTIFICATION_NOT_SUPPORTED' : 'TASK_NOT_FOUND');
      }
    });

    it('and are not touched by the attempts [B2] [B4]', async () => {
      const { status, history } = await read(task.id, alice);
      expect(status.state).toBe('TASK_STATE_WORKING');
      expect(history).toHaveLength(1);
    });

    it('also when they have ended: never "not cancelable" [B2]', async () => {
      const done = taskOf(await client.send({ ...say('/task'), ...inAcme() }, { headers: alice }));
      expect(await reasonOf(client.cancelTask({ id: done.id, ...inAcme() }, { headers: bob }))).toBe('TASK_NOT_FOUND');
      expect(await reasonOf(client.cancelTask({ id: done.id, ...inAcme() }, { headers: alice }))).toBe('TASK_NOT_CANCELABLE');
    });

    it('before anything of a stream is sent [B3]', async () => {
      const error = await errorOf(client.subscribe({ id: task.id, ...inAcme() }, { headers: bob }));
      expect([error.reason, error.httpStatus]).toEqual(['TASK_NOT_FOUND', wire === 'GRPC' ? undefined : wire === 'JSONRPC' ? 200 : 404]);
    });
  });

  it('are listed for their owner alone, and so is their number [B7]', async () => {
    const [one, two] = [await host().bearer({ ...ALICE, sub: randomUUID() }), await host().bearer({ ...BOB, sub: randomUUID() })];
    const contextId = randomUUID();
    for (let i = 0; i < 3; i++) await client.send({ ...say('/task', { contextId }), ...inAcme() }, { headers: one });
    await client.send({ ...say('/task'), ...inAcme() }, { headers: two });
    const page = async (request: JsonObject, headers: Headers) => {
      const { tasks, totalSize } = await client.listTasks({ ...request, ...inAcme() }, { headers });
      return [tasks.length, totalSize];
    };
    expect(await page({}, one)).toEqual([3, 3]);
    expect(await page({}, two)).toEqual([1, 1]);
    expect(await page({ contextId }, two)).toEqual([0, 0]);
    const [foreign, absent] = await Promise.all(
      [contextId, randomUUID()].map((id) => rawAnswer(client, 'ListTasks', { contextId: id, ...inAcme() }, two)),
    );
    expect(foreign).toBe(absent);
  });

  it('have page tokens that are worth nothing to others [E13] [E14]', async () => {
    const owner = await host().bearer({ ...ALICE, sub: randomUUID() });
    for (let i = 0; i < 2; i++) await client.send({ ...say('/task'), ...inAcme() }, { headers: owner });
    const { nextPageToken, tasks } = await client.listTasks({ pageSize: 1, ...inAcme() }, { headers: owner });
    expect(tasks).toHaveLength(1);
    expect(Buffer.from(nextPageToken, 'base64url').toString('latin1')).not.toContain(task.id);
    const answers = await Promise.all(
      [nextPageToken, `${nextPageToken.slice(0, -2)}AA`, 'forged'].map((pageToken) =>
        rawAnswer(client, 'ListTasks', { pageSize: 1, pageToken, ...inAcme() }, bob),
      ),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('INVALID_PARAMS');
    expect((await client.listTasks({ pageSize: 1, pageToken: nextPageToken, ...inAcme() }, { headers: owner })).tasks).toHaveLength(1);
  });

  it('have contexts that are a name of the caller’s own [B5]', async () => {
    const contextId = randomUUID();
    const count = async (headers: Headers): Promise<unknown> => {
      const counted = await client.send({ ...say('/count key=k in=context', { contextId }), ...inAcme() }, { headers });
      return taskOf(counted).artifacts?.[0]?.parts[0]?.data;
    };
    expect([await count(alice), await count(alice), await count(bob)]).toMatchObject([{ count: 1 }, { count: 2 }, { count: 1 }]);
  });

  it('can be referred to by their owner alone [B6]', async () => {
    const referenceTaskIds = [task.id, randomUUID()];
    const seen = async (headers: Headers): Promise<unknown> => {
      const told = await client.send({ ...say('/references', { referenceTaskIds }), ...inAcme() }, { headers });
      return taskOf(told).artifacts?.[0]?.parts[0]?.data;
    };
    expect([await seen(alice), await seen(bob)]).toEqual([{ references: [task.id] }, { references: [] }]);
    await host().process.logged('"task.lookup"', task.id);
  });

  it('are not begun in a tenant that the caller only says is its own [B11] [TEN-06]', async () => {
    const answers = await Promise.all(
      ['initech', 'no-such-tenant'].map((tenant) =>
        rawAnswer(client, 'SendMessage', { ...say('/task', { messageId: 'm' }), tenant: tenantOf(tenant) }, alice),
      ),
    );
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).toContain('PERMISSION_DENIED');
  });

  it('do not come into being twice for one message, and each caller has messages of its own [B20]', async () => {
    const messageId = randomUUID();
    const billing = await host().client('billing', wire);
    const ask = async (headers: Headers) => taskOf(await billing.send(say('balance', { messageId }), { headers })).id;
    const [first, again, other] = [await ask(alice), await ask(alice), await ask(bob)];
    expect([first === again, first === other]).toEqual([true, false]);
  });

  describe('have webhooks', () => {
    const SECRETS = { token: 'token-canary-81', authentication: { scheme: 'Bearer', credentials: 'credentials-canary-82' } };
    let configId: string;

    beforeAll(async () => {
      const config = { taskId: task.id, url: 'http://127.0.0.1:9/hook', ...SECRETS, ...inAcme() };
      const { body } = await client.call('CreateTaskPushNotificationConfig', config, { headers: alice });
      configId = String(body['id']);
    });

    const onConfig = (id: string): JsonObject => ({ taskId: task.id, id, ...inAcme() });
    const listed = async (headers: Headers) =>
      (await client.call('ListTaskPushNotificationConfigs', { taskId: task.id, ...inAcme() }, { headers })).body;

    it('whose secrets nobody is told again, not even their owner [B9]', async () => {
      const { body } = await client.call('GetTaskPushNotificationConfig', onConfig(configId), { headers: alice });
      expect(body).toMatchObject({ id: configId, url: 'http://127.0.0.1:9/hook' });
      expect(JSON.stringify([body, await listed(alice)])).not.toContain('canary');
    });

    it('that nobody else sees, changes or deletes [B8]', async () => {
      for (const operation of ['GetTaskPushNotificationConfig', 'DeleteTaskPushNotificationConfig'] as const) {
        const answers = await Promise.all([configId, randomUUID()].map((id) => rawAnswer(client, operation, onConfig(id), bob)));
        expect(answers[0]).toBe(answers[1]);
        expect(answers[0]).toContain('TASK_NOT_FOUND');
      }
      expect(await reasonOf(listed(bob))).toBe('TASK_NOT_FOUND');
      const takeover = { taskId: task.id, id: configId, url: 'http://127.0.0.1:9/evil', ...inAcme() };
      expect(await reasonOf(client.call('CreateTaskPushNotificationConfig', takeover, { headers: bob }))).toBe('TASK_NOT_FOUND');
      expect(await listed(alice)).toMatchObject({ configs: [{ id: configId, url: 'http://127.0.0.1:9/hook' }] });
    });

    it('that their owner deletes as often as it likes [B8]', async () => {
      for (const id of [configId, configId, randomUUID()]) {
        await client.call('DeleteTaskPushNotificationConfig', onConfig(id), { headers: alice });
      }
      expect(await listed(alice)).toEqual({});
    });
  });

  it('are the owner’s whatever credentials it comes with, and no other issuer can name the same owner [B17]', async () => {
    const later = await host().bearer({ ...ALICE, jti: randomUUID(), scope: 'anything else' });
    expect((await read(task.id, later)).id).toBe(task.id);
    const robot = { 'x-api-key': 'a2ak_robot-of-acme' };
    const named = await host().bearer({ ...ALICE, sub: 'robot' });
    const { id } = await begin('/ask', named);
    expect(await reasonOf(read(id, robot))).toBe('TASK_NOT_FOUND');
    for (const sub of ['anonymous', 'unknown', 'shared']) {
      const { id: reserved } = await begin('/ask', await host().bearer({ ...ALICE, sub }));
      expect(await reasonOf(read(reserved, alice))).toBe('TASK_NOT_FOUND');
    }
  });

  it('can be done with by their owner as ever', async () => {
    const stream = await client.subscribe({ id: task.id, ...inAcme() }, { headers: alice });
    expect((await client.cancelTask({ id: task.id, ...inAcme() }, { headers: alice })).status.state).toBe('TASK_STATE_CANCELED');
    expect(outline(await stream.rest()).at(-1)).toBe('status CANCELED');
  });
});
