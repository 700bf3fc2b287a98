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
  const host = useConformanceHost({ A2A_WEBHOOKS_PER_CALLER: '100000' });
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
