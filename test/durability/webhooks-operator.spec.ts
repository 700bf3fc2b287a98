import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ConformanceHost } from '../conformance/conformance-host.js';
import { outline, say, taskOf } from '../conformance/requests.js';
import { describeStore } from '../support/selected-stores.js';
import { BUILT_MAIN } from '../support/host.js';
import { startPostgres, type TestPostgres } from '../support/postgres.js';
import { WebhookSink } from '../support/webhook-sink.js';

const COMMAND = join(dirname(BUILT_MAIN), 'webhooks.js');
const ALL = ['task SUBMITTED', 'status WORKING', 'artifact', 'status COMPLETED'];

/** What `npm run webhooks` runs. */
async function webhooks(url: string, ...args: string[]): Promise<{ code: number | null; output: string; said: string }> {
  const child = spawn(process.execPath, [COMMAND, ...args], { env: { PATH: process.env.PATH, DATABASE_URL: url } });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [code, output, said] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, output, said };
}

/** Asks until the list says so: what a host writes down comes after what its receiver sees. */
async function listed(url: string, what: string): Promise<void> {
  while (!(await webhooks(url, 'list')).output.includes(what));
}

const begin = async (host: ConformanceHost, url: string): Promise<string> =>
  taskOf(await host.rest.send(say('/task', {}, { taskPushNotificationConfig: { id: 'c', url } }))).id;

describe('webhooks, for operators', () => {
  let sink: WebhookSink;
  beforeEach(async () => {
    sink = await WebhookSink.start();
  });
  afterEach(() => sink.stop());
  const hostOfSink = () => new URL(sink.url()).host;
  const arrived = () => outline(sink.posts.map(({ item }) => item));

  it('tells all its arguments when it gets none, and touches nothing', async () => {
    const { code, said } = await webhooks('sqlite:/nowhere/at/all.sqlite');
    expect(code).toBe(1);
    expect(said).toMatch(/^The webhooks cannot be seen to: One of list, replay, drop comes first\.\n[\s\S]*--config ID/);
  });

  it('has nothing to see to in memory', async () => {
    expect(await webhooks('memory:', 'list')).toMatchObject({ code: 1, said: expect.stringContaining('ends with it') as string });
  });

  describeStore('sqlite', 'on SQLite', () => {
    const folder = mkdtempSync(join(tmpdir(), 'a2a-webhooks-operator-'));
    const url = `sqlite:${join(folder, 'a2a.sqlite')}`;
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('are listed and sent again once no host has the file, and arrive in order when the next one starts [PUSH-23]', async () => {
      sink.answer = () => 500;
      const host = await ConformanceHost.start({ DATABASE_URL: url, A2A_WEBHOOK_RETRY_DELAYS_MS: '10' });
      const taskId = await begin(host, sink.url('/secret-path'));
      await host.process.logged('its last attempt failed');
      expect((await webhooks(url, 'list')).said).toMatch(/cannot be seen to: .*is in use by another process.*stop the other one/);
      await host.stop();

      const { code, output } = await webhooks(url, 'list');
      expect(code).toBe(0);
      expect(output).toMatch(
        new RegExp(`^${hostOfSink()}: 1 disabled, 1 dead letter\\n.* task ${taskId} config c: disabled, the last attempt`),
      );
      expect(output).toMatch(/event 1: 500 at attempt 2/);
      expect(output).not.toContain('secret-path');
      const replayed = await webhooks(url, 'replay', '--host', hostOfSink(), '--by', 'ticket 4711');
      expect(replayed.said).toMatch(/config c: delivered again from event 1 on\n1 webhook\.\n$/);
      expect(JSON.parse(replayed.output)).toMatchObject({ audit: true, event: 'push_config.replay', operator: 'ticket 4711', taskId });

      const before = sink.posts.length;
      sink.answer = () => 204;
      const again = await ConformanceHost.start({ DATABASE_URL: url });
      await sink.acceptedOf(ALL.length);
      await again.stop();
      expect(arrived().slice(before)).toEqual(ALL);
      expect((await webhooks(url, 'list')).output).toBe('No webhook is in trouble.\n');
    });
  });

  describeStore('postgres', 'on PostgreSQL, while a host runs', () => {
    let postgres: TestPostgres;
    let url: string;
    let host: ConformanceHost;
    beforeAll(async () => {
      postgres = await startPostgres();
      url = await postgres.createDatabase();
      host = await ConformanceHost.start({ DATABASE_URL: url, A2A_SECRET: 'x'.repeat(32), A2A_WEBHOOK_RETRY_DELAYS_MS: '3600000' });
    });
    afterAll(async () => {
      await host.stop();
      await postgres.stop();
    });

    it('are sent again without waiting for their time: one task, one host, or all [PUSH-23]', async () => {
      let posts = 0;
      sink.answer = () => (++posts === 2 ? 404 : 204);
      const taskId = await begin(host, sink.url());
      await sink.until(() => sink.posts.length === ALL.length);
      const other = await WebhookSink.start();
      other.answer = () => 503;
      await begin(host, other.url());
      await listed(url, '1 failing');
      other.answer = () => 204;

      const { said } = await webhooks(url, 'replay', '--task', taskId, '--config', 'c');
      expect(said).toMatch(/config c: delivered again from event 2 on\n1 webhook\.\n$/);
      await sink.acceptedOf(ALL.length);
      await sink.until(() => sink.posts.length === 2 * ALL.length - 1);
      expect(arrived()).toEqual([...ALL, ...ALL.slice(1)]);
      expect(other.acceptedCount).toBe(0);

      await webhooks(url, 'replay', '--all');
      expect(outline((await other.acceptedOf(ALL.length)).map(({ item }) => item))).toEqual(ALL);
      await other.stop();
    });

    it('are given up: dead letters are forgotten, what fails is removed [PUSH-23]', async () => {
      sink.answer = () => 404;
      await begin(host, sink.url());
      const failing = await WebhookSink.start();
      failing.answer = () => 503;
      const taskId = await begin(host, failing.url());
      await listed(url, '4 dead letters');
      await listed(url, '1 failing');

      const letters = await webhooks(url, 'drop', '--host', hostOfSink());
      expect(letters.said).toMatch(/config c: 4 dead letters forgotten; the webhook goes on\n1 webhook\.\n$/);
      const removed = await webhooks(url, 'drop', '--task', taskId);
      expect(removed.said).toMatch(/config c: removed with what it had to deliver\n1 webhook\.\n$/);
      expect(JSON.parse(removed.output)).toMatchObject({ audit: true, event: 'push_config.drop', taskId });
      expect((await webhooks(url, 'list')).output).toBe('No webhook is in trouble.\n');
      await expect(host.rest.call('GetTaskPushNotificationConfig', { taskId, id: 'c' })).rejects.toMatchObject({
        reason: 'TASK_NOT_FOUND',
      });
      await failing.stop();
    });
  });
});
