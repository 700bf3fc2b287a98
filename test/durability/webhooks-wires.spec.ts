import { randomUUID } from 'node:crypto';
import { type JsonObject } from '@bufbuild/protobuf';
import { Webhook } from 'standardwebhooks';
import { useConformanceHost, WIRES } from '../conformance/conformance-host.js';
import { outline, reasonOf, runTask, say, taskOf } from '../conformance/requests.js';
import { type A2aClient } from '../support/clients/a2a-client.js';
import { WebhookSink } from '../support/webhook-sink.js';

const EXAMPLE = 'https://example.com/hook';

/** Webhooks as clients see them, over each wire, on the built host and with receivers on real sockets. */
describe.each(WIRES)('webhooks over %s', (wire) => {
  const host = useConformanceHost({ A2A_WEBHOOKS_PER_CALLER: '100000', A2A_WEBHOOK_RETRY_DELAYS_MS: '300,300,300' });
  const client = (): A2aClient => host().client(wire);
  let sink: WebhookSink;
  beforeEach(async () => {
    sink = await WebhookSink.start();
  });
  afterEach(() => sink.stop());

  const call = async (operation: Parameters<A2aClient['call']>[0], request: JsonObject) => (await client().call(operation, request)).body;
  const ask = () => runTask(client(), '/ask');

  it('are declared on the card', () => {
    expect(host().card.capabilities).toMatchObject({ pushNotifications: true });
  });

  it('are registered, shown without secrets, listed, replaced and deleted [PCRE-01] [PGET-04] [PLST-01] [PDEL-02] [PDEL-04]', async () => {
    const { id: taskId } = await ask();
    const authentication = { scheme: 'bearer', credentials: 'secret' };
    const made = await call('CreateTaskPushNotificationConfig', { taskId, id: 'c', url: EXAMPLE, token: 'mine', authentication });
    expect(made).toMatchObject({ taskId, id: 'c', url: EXAMPLE, token: 'mine', authentication });
    const shown = await call('GetTaskPushNotificationConfig', { taskId, id: 'c' });
    expect(shown).toMatchObject({ taskId, id: 'c', url: EXAMPLE, authentication: { scheme: 'Bearer' } });
    expect(JSON.stringify(shown)).not.toMatch(/secret|mine/);
    await call('CreateTaskPushNotificationConfig', { taskId, id: 'c', url: `${EXAMPLE}/2` });
    await call('CreateTaskPushNotificationConfig', { taskId, url: EXAMPLE });
    const { configs } = await call('ListTaskPushNotificationConfigs', { taskId });
    expect((configs as JsonObject[]).map(({ url }) => url).toSorted()).toEqual([EXAMPLE, `${EXAMPLE}/2`]);
    expect(await call('DeleteTaskPushNotificationConfig', { taskId, id: 'c' })).toEqual({});
    expect(await call('DeleteTaskPushNotificationConfig', { taskId, id: 'c' })).toEqual({});
    expect(await reasonOf(call('GetTaskPushNotificationConfig', { taskId, id: 'c' }))).toBe('TASK_NOT_FOUND');
  });

  it('can be registered for a task that has ended [PCRE-06]', async () => {
    const { id: taskId } = await runTask(client(), '/task');
    await call('CreateTaskPushNotificationConfig', { taskId, id: 'c', url: EXAMPLE });
    expect(await call('GetTaskPushNotificationConfig', { taskId, id: 'c' })).toMatchObject({ id: 'c' });
  });

  it('are refused where they would be aimed at the network of the host [SECC-21]', async () => {
    const { id: taskId } = await ask();
    for (const url of [
      'http://10.0.0.1/',
      'http://169.254.169.254/latest',
      'http://[fd00:ec2::254]/',
      'http://metadata.google.internal/',
    ]) {
      await expect(call('CreateTaskPushNotificationConfig', { taskId, url })).rejects.toMatchObject({ fields: ['url'] });
      const inline = client().send(say('/task', {}, { taskPushNotificationConfig: { url } }));
      await expect(inline).rejects.toThrow(/allowed/);
    }
  });

  it('get every update of a task that they were sent along with, signed and in order [PUSH-10] [PUSH-11] [PUSH-12] [PUSH-13]', async () => {
    const token = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
    const authentication = { scheme: 'bearer', credentials: 'secret' };
    const config = { url: sink.url(), token, authentication };
    const task = taskOf(await client().send(say('/task', {}, { taskPushNotificationConfig: config })));
    const posts = await sink.acceptedOf(4);
    expect(outline(posts.map(({ item }) => item))).toEqual(['task SUBMITTED', 'status WORKING', 'artifact', 'status COMPLETED']);
    for (const { headers, body, taskId } of posts) {
      expect(taskId).toBe(task.id);
      expect(headers).toMatchObject({ 'content-type': 'application/a2a+json', 'a2a-version': '1.0', authorization: 'Bearer secret' });
      expect(headers['x-a2a-notification-token']).toBeUndefined();
      expect(new Webhook(token).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
    }
  });

  it('come with a streaming message too, and get what its stream has, besides it [PUSH-04]', async () => {
    const stream = await client().stream(say('/task', {}, { taskPushNotificationConfig: { url: sink.url() } }));
    const streamed = outline(await stream.rest());
    const posted = outline((await sink.acceptedOf(4)).map(({ item }) => item));
    expect(posted.slice(1)).toEqual(streamed.slice(1));
    expect(posted).toEqual(['task SUBMITTED', 'status WORKING', 'artifact', 'status COMPLETED']);
  });

  it('of one task may be several, from whichever wire each came: all get every update, in order [PCRE-05] [PUSH-20]', async () => {
    const { id: taskId, contextId } = await ask();
    for (const other of WIRES) {
      await host()
        .client(other)
        .call('CreateTaskPushNotificationConfig', { taskId, id: other, url: sink.url(`/${other}`) });
    }
    const { configs } = await call('ListTaskPushNotificationConfigs', { taskId });
    expect((configs as JsonObject[]).map(({ id }) => id).toSorted()).toEqual(WIRES.toSorted());
    await client().send(say('an answer', { taskId, contextId }));
    const toEach = () => WIRES.map((other) => sink.accepted.filter(({ path }) => path === `/${other}`).map(({ item }) => item));
    await sink.until(() => toEach().every((items) => outline(items).at(-1) === 'status COMPLETED'));
    const [first, ...others] = toEach();
    expect(outline(first ?? [])[0]).toBe('status SUBMITTED');
    for (const items of others) expect(items).toEqual(first);
  });

  it('get nothing more once deleted, queued retries included [PDEL-01]', async () => {
    let failures = 0;
    sink.answer = (path) => (path === '/deleted' || (path === '/kept' && ++failures <= 2) ? 500 : 204);
    const { id: taskId } = await runTask(client(), '/task', {}, { taskPushNotificationConfig: { id: 'c', url: sink.url('/deleted') } });
    await host().process.logged('A webhook failed', taskId);
    await call('DeleteTaskPushNotificationConfig', { taskId, id: 'c' });
    await runTask(client(), '/task', {}, { taskPushNotificationConfig: { url: sink.url('/kept') } });
    await sink.until(() => failures > 0);
    const seen = sink.posts.length;
    // Two waits of this one are longer than the wait of the one that was deleted.
    await sink.acceptedOf(4);
    expect(sink.posts.slice(seen).filter(({ path }) => path === '/deleted')).toEqual([]);
  });

  it('are disabled by 410, and go on where they were when registered again [C18] [PCRE-05]', async () => {
    let isGone = true;
    sink.answer = () => (isGone && sink.acceptedCount === 1 ? 410 : 204);
    const { id: taskId } = await runTask(client(), '/task', {}, { taskPushNotificationConfig: { id: 'c', url: sink.url('/old') } });
    await host().process.logged('its receiver is gone', taskId);
    isGone = false;
    await call('CreateTaskPushNotificationConfig', { taskId, id: 'c', url: sink.url('/new') });
    await sink.acceptedOf(4);
    expect(sink.accepted.map(({ path }) => path)).toEqual(['/old', '/new', '/new', '/new']);
    expect(outline(sink.accepted.map(({ item }) => item))).toEqual(['task SUBMITTED', 'status WORKING', 'artifact', 'status COMPLETED']);
  });

  it('get what comes after they were registered, on later turns too [PUSH-16]', async () => {
    const { id: taskId, contextId } = await ask();
    await call('CreateTaskPushNotificationConfig', { taskId, url: sink.url(), token: 'mine' });
    await client().send(say('an answer', { taskId, contextId }));
    await sink.until(() => sink.posts.at(-1)?.item.statusUpdate?.status.state === 'TASK_STATE_COMPLETED');
    expect(outline(sink.accepted.map(({ item }) => item))[0]).toBe('status SUBMITTED');
    expect(sink.posts[0]?.headers['x-a2a-notification-token']).toBe('mine');
  });

  it('are not stored for a direct message [SEND-11]', async () => {
    const answer = await client().send(say('/echo hi', {}, { taskPushNotificationConfig: { url: sink.url() } }));
    expect(answer.message).toBeDefined();
    expect(sink.posts).toEqual([]);
  });

  it('belong to the task’s owner: unknown tasks are not found [B8]', async () => {
    const both = { taskId: randomUUID(), id: 'c' };
    expect(await reasonOf(call('CreateTaskPushNotificationConfig', { ...both, url: EXAMPLE }))).toBe('TASK_NOT_FOUND');
    expect(await reasonOf(call('GetTaskPushNotificationConfig', both))).toBe('TASK_NOT_FOUND');
    expect(await reasonOf(call('ListTaskPushNotificationConfigs', { taskId: both.taskId }))).toBe('TASK_NOT_FOUND');
    expect(await reasonOf(call('DeleteTaskPushNotificationConfig', both))).toBe('TASK_NOT_FOUND');
  });
});

describe('receivers that ask for time', () => {
  const host = useConformanceHost({ A2A_WEBHOOK_RETRY_DELAYS_MS: '10,10,10' });
  let sink: WebhookSink;
  beforeEach(async () => {
    sink = await WebhookSink.start();
  });
  afterEach(() => sink.stop());

  it.each([
    ['seconds', 429, () => '2'],
    ['a date', 503, () => new Date(Date.now() + 3_000).toUTCString()],
  ])('get it, in %s with %d [PUSH-24]', async (_form, status, ask) => {
    const retryAfter = ask();
    sink.answer = () => (sink.posts.length === 0 ? { status, retryAfter } : 204);
    await runTask(host().rest, '/task', {}, { taskPushNotificationConfig: { url: sink.url() } });
    await sink.acceptedOf(4);
    const [first, second] = sink.posts;
    const asked = /^\d+$/.test(retryAfter) ? Number(first?.atMs) + 1_000 * Number(retryAfter) : Date.parse(retryAfter);
    // A timer may be some milliseconds early.
    expect(second?.atMs).toBeGreaterThan(asked - 100);
    expect(second?.id).toBe(first?.id);
  });
});

describe('the keys of webhooks', () => {
  const host = useConformanceHost({ A2A_SECRET: 'a secret of this host, long enough to be one' });

  it('are published for receivers, public parts only [C15]', async () => {
    const response = await fetch(`${host().httpUrl}/.well-known/webhook-keys.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/jwk-set+json');
    const { keys } = (await response.json()) as { keys: JsonObject[] };
    expect(keys).toEqual([{ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid: expect.any(String), x: expect.any(String) }]);
  });
});
