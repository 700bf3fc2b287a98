import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventEmitter } from 'node:events';
import { type INestApplication, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { A2aWebhookModule, type ExpectedWebhook, ExpectedWebhooks, WebhookHandler, type WebhookUpdate } from '@a2a/a2a-client';
import { OutboundModule } from '@a2a/outbound';
import { ConformanceHost } from '../conformance/conformance-host.js';
import { runTask, say, taskOf } from '../conformance/requests.js';
import { describeStore } from '../support/selected-stores.js';

const TOKEN = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const AUTHENTICATION = { scheme: 'Bearer', credentials: 'made for this webhook alone' };
const [OLD_SECRET, NEW_SECRET] = ['the first secret of this host and long enough', 'the second secret of this host and as long'];
const ALL = ['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate'];

/** What an application of a client is made of: what it registered, and what it does with updates. */
@Injectable()
class RegisteredWebhooks extends ExpectedWebhooks {
  async find(): Promise<ExpectedWebhook> {
    return { token: TOKEN, authentication: AUTHENTICATION };
  }
}

@Injectable()
class TaskUpdates {
  isDown = false;
  readonly updates: WebhookUpdate[] = [];
  readonly came = new EventEmitter();

  @WebhookHandler()
  async onUpdate(update: WebhookUpdate): Promise<void> {
    if (this.isDown) throw new Error('The application is down');
    this.updates.push(update);
    this.came.emit('update');
  }

  async kindsOf(taskId: string, count: number): Promise<(string | undefined)[]> {
    const ofTask = () => this.updates.filter((update) => update.taskId === taskId);
    while (ofTask().length < count) await new Promise((resolve) => this.came.once('update', resolve));
    return ofTask().map(({ event }) => event.payload.case);
  }
}

describe.each(['express', 'fastify'])('a receiver as the README has it, on %s', (adapter) => {
  let host: ConformanceHost;
  let app: INestApplication;
  const hook = async () => `${await app.getUrl()}/hooks/a2a`;
  const start = async (env: Readonly<Record<string, string>> = {}): Promise<void> => {
    host = await ConformanceHost.start(env);
    @Module({
      imports: [
        OutboundModule.forRoot({ targets: { allowHttp: true, ports: '*', openNetworks: ['127.0.0.0/8'] } }),
        A2aWebhookModule.forRoot({
          path: 'hooks/a2a',
          keys: { jwksUrl: `${host.httpUrl}/.well-known/webhook-keys.json` },
          expected: RegisteredWebhooks,
        }),
      ],
      providers: [TaskUpdates],
    })
    class AppModule {}
    const http = adapter === 'express' ? new ExpressAdapter() : new FastifyAdapter();
    app = await NestFactory.create(AppModule, http, { logger: false, abortOnError: false });
    await app.listen(0, '127.0.0.1');
  };
  afterEach(async () => {
    await host.stop();
    await app.close();
  });
  const withHook = async () => ({ taskPushNotificationConfig: { url: await hook(), token: TOKEN, authentication: AUTHENTICATION } });

  it('gets every update of a task from a host of this platform, verified by its published keys [PUSH-31]', async () => {
    await start();
    const { id } = await runTask(host.rest, '/task', {}, await withHook());
    expect(await app.get(TaskUpdates).kindsOf(id, ALL.length)).toEqual(ALL);
    const strange = await fetch(await hook(), { method: 'POST', headers: { 'content-type': 'application/a2a+json' }, body: '{}' });
    expect(strange.status).toBe(401);
  }, 60_000);

  describeStore('sqlite', 'and a host with a new secret', () => {
    const folder = mkdtempSync(join(tmpdir(), 'a2a-rotation-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('gets what was registered under the old one, with its credentials and a signature that fits the keys it knows', async () => {
      const database = {
        DATABASE_URL: `sqlite:${join(folder, 'a2a.sqlite')}`,
        A2A_WEBHOOK_RETRY_DELAYS_MS: Array.from({ length: 50 }, () => 500).join(','),
      };
      await start({ ...database, A2A_SECRET: OLD_SECRET });
      const updates = app.get(TaskUpdates);
      updates.isDown = true;
      const { id } = taskOf(await host.rest.send(say('/task', {}, await withHook())));
      await host.process.logged('A webhook failed', id);
      await host.stop();
      const { port } = new URL(host.httpUrl);
      host = await ConformanceHost.start({ ...database, PORT: port, A2A_SECRET: NEW_SECRET, A2A_PREVIOUS_SECRETS: OLD_SECRET });
      updates.isDown = false;
      expect(await updates.kindsOf(id, ALL.length)).toEqual(ALL);
    }, 60_000);
  });
});
