import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConformanceHost } from '../conformance/conformance-host.js';
import { runTask, say } from '../conformance/requests.js';
import { describeStore } from '../support/selected-stores.js';
import { WebhookSink } from '../support/webhook-sink.js';

const CANARIES = { token: 'canary-token-7f3a', credentials: 'canary-credentials-91bc' };

describeStore('sqlite', 'what clients entrust to webhooks', () => {
  const directory = mkdtempSync(join(tmpdir(), 'a2a-webhook-secrets-'));
  const env = {
    DATABASE_URL: `sqlite:${join(directory, 'a2a.sqlite')}`,
    LOG_LEVEL: 'trace',
    A2A_WEBHOOK_RETRY_DELAYS_MS: '10,10',
  };
  let host: ConformanceHost;
  let sink: WebhookSink;
  beforeAll(async () => {
    host = await ConformanceHost.start(env);
    sink = await WebhookSink.start();
  });
  afterAll(async () => {
    await sink.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('is sent to the receiver, and is in no log, no answer and no file [E17] [PGET-04]', async () => {
    const authentication = { scheme: 'Bearer', credentials: CANARIES.credentials };
    const secrets = { token: CANARIES.token, authentication };
    await host.rest.send(say('/task', {}, { taskPushNotificationConfig: { url: sink.url('/good'), ...secrets } }));
    sink.answer = (path) => (path === '/good' ? 204 : 500);
    await host.rest.send(say('/task', {}, { taskPushNotificationConfig: { url: sink.url('/bad'), ...secrets } }));
    await host.process.logged('its last attempt failed');
    await sink.acceptedOf(4);
    const received = sink.posts.map(({ headers }) => [headers.authorization, headers['x-a2a-notification-token']]);
    expect(new Set(received.map(String))).toEqual(new Set([`Bearer ${CANARIES.credentials},${CANARIES.token}`]));

    const { id: taskId } = await runTask(host.rest, '/ask');
    await host.rest.call('CreateTaskPushNotificationConfig', { taskId, id: 'c', url: sink.url(), ...secrets });
    const answers = [
      await host.rest.call('GetTaskPushNotificationConfig', { taskId, id: 'c' }),
      await host.grpc.call('ListTaskPushNotificationConfigs', { taskId }),
      await host.jsonRpc.call('GetTask', { id: taskId }),
    ];
    const running = filesIn(directory, 'running ');
    await host.stop();

    const sinks = {
      log: host.process.logs.join('\n'),
      answers: JSON.stringify(answers.map(({ body }) => body)),
      ...running,
      ...filesIn(directory),
    };
    expect(Object.keys(sinks)).toEqual(expect.arrayContaining(['a2a.sqlite', 'running a2a.sqlite', 'running a2a.sqlite-wal']));
    const found = Object.entries(sinks).filter(([, text]) => Object.values(CANARIES).some((canary) => text.includes(canary)));
    expect(found.map(([name]) => name)).toEqual([]);
  });
});

function filesIn(directory: string, prefix = ''): Record<string, string> {
  return Object.fromEntries(readdirSync(directory).map((file) => [prefix + file, readFileSync(join(directory, file), 'latin1')]));
}
