import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { Controller, HttpCode, Injectable, Module, type ModuleMetadata, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import { type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { TaskState } from '@a2a/a2a-core';
import {
  A2aWebhookModule,
  type ExpectedWebhook,
  ExpectedWebhooks,
  OncePerDelivery,
  ReceivedUpdate,
  WebhookGuard,
  WebhookHandler,
  type WebhookUpdate,
} from '@a2a/a2a-client';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const JWK = publicKey.export({ format: 'jwk' });
const STRANGER = generateKeyPairSync('ed25519').privateKey;
const WHSEC = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

const BODY = JSON.stringify({ statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } });

@Injectable()
class Updates {
  readonly seen: WebhookUpdate[] = [];
  act: () => Promise<void> = async () => undefined;

  @WebhookHandler()
  async onUpdate(update: WebhookUpdate): Promise<void> {
    await this.act();
    this.seen.push(update);
  }
}

/** What was registered: for `t` whatever a spec says, for other tasks nothing. */
@Injectable()
class Registered extends ExpectedWebhooks {
  static agreed: ExpectedWebhook = {};
  async find(taskId: string): Promise<ExpectedWebhook | undefined> {
    return taskId === 't' ? Registered.agreed : undefined;
  }
}

interface Sent {
  readonly id?: string;
  readonly ageSeconds?: number;
  readonly body?: string;
  readonly key?: typeof privateKey;
  readonly headers?: Record<string, string>;
  readonly path?: string;
}

describe.each([
  ['express', false],
  ['express', true],
  ['fastify', false],
  ['fastify', true],
] as const)('the receiver kit on %s with bodyParser: %s', (adapter, bodyParser) => {
  let app: INestApplication;
  const start = async (metadata: ModuleMetadata): Promise<string> => {
    @Module({ providers: [Updates], ...metadata })
    class Receiver {}
    const http = adapter === 'express' ? new ExpressAdapter() : new FastifyAdapter();
    app = await NestFactory.create(Receiver, http, { bodyParser, logger: false, abortOnError: false });
    await app.listen(0, '127.0.0.1');
    return app.getUrl();
  };
  afterEach(() => app.close());

  const send = async (
    url: string,
    { id = 'msg_1', ageSeconds = 0, body = BODY, key = privateKey, headers = {}, path = '/hook' }: Sent = {},
  ) => {
    const timestamp = String(Math.floor(Date.now() / 1_000) - ageSeconds);
    const content = Buffer.from(`${id}.${timestamp}.${body}`);
    const signature = `v1,AAAA v1a,${sign(null, content, key).toString('base64')}`;
    const signed = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/a2a+json', ...signed, ...headers },
    });
    await response.arrayBuffer();
    return response.status;
  };
  const updates = () => app.get(Updates);
  const signedModule = () => A2aWebhookModule.forRoot({ path: 'hook', keys: { pinned: [JWK] } });

  it('hands over a signed update, typed, and answers 204 [PUSH-30] [PUSH-31]', async () => {
    const url = await start({ imports: [signedModule()] });
    expect(await send(url)).toBe(204);
    expect(updates().seen).toMatchObject([{ deliveryId: 'msg_1', taskId: 't', event: { payload: { case: 'statusUpdate' } } }]);
    expect(updates().seen[0]?.sentAt?.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  it('hands over once what arrives often [PUSH-33]', async () => {
    const url = await start({ imports: [signedModule()] });
    expect([await send(url), await send(url), await send(url, { ageSeconds: 60 })]).toEqual([204, 204, 204]);
    expect(await send(url, { id: 'msg_2' })).toBe(204);
    expect(updates().seen.map(({ deliveryId }) => deliveryId)).toEqual(['msg_1', 'msg_2']);
  });

  it('asks for what failed again, and for what is being handled', async () => {
    const url = await start({ imports: [signedModule()] });
    updates().act = () => Promise.reject(new Error('no'));
    expect(await send(url)).toBe(500);
    let goOn = (): void => undefined;
    const acting = new Promise<void>((resolve) => {
      updates().act = () => {
        resolve();
        return new Promise((end) => (goOn = end));
      };
    });
    const first = send(url);
    await acting;
    expect(await send(url)).toBe(503);
    goOn();
    expect(await first).toBe(204);
    expect(updates().seen).toHaveLength(1);
  });

  it.each<[string, Sent]>([
    ['another key [C15]', { key: STRANGER }],
    ['a changed body', { headers: { 'webhook-id': 'msg_9' } }],
    ['no signature', { headers: { 'webhook-signature': '' } }],
    ['no id', { id: '' }],
    ['no timestamp', { headers: { 'webhook-timestamp': '' } }],
    ['an age of six minutes [C16]', { ageSeconds: 360 }],
    ['a time to come [C16]', { ageSeconds: -360 }],
  ])('answers 401 to %s', async (_what, sent) => {
    const url = await start({ imports: [signedModule()] });
    expect(await send(url, sent)).toBe(401);
    expect(updates().seen).toEqual([]);
  });

  it.each([
    ['no JSON', '{'],
    ['no update', '{}'],
    ['a message without a task', '{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"x"}]}}'],
    ['an update of no task', BODY.replace('"t"', '""')],
  ])('answers 400 to %s', async (_what, body) => {
    const url = await start({ imports: [signedModule()] });
    expect(await send(url, { body })).toBe(400);
  });

  it('takes what a later version of the protocol may say [CLI-04]', async () => {
    const url = await start({ imports: [signedModule()] });
    const body = BODY.replace('WORKING', 'PLAYING').replace('"contextId"', '"novelty":1,"contextId"');
    expect(await send(url, { body })).toBe(204);
    expect(updates().seen).toMatchObject([{ event: { payload: { value: { status: { state: TaskState.UNSPECIFIED } } } } }]);
  });

  it('reads no more than it is told to', async () => {
    const url = await start({ imports: [A2aWebhookModule.forRoot({ path: 'hook', keys: { pinned: [JWK] }, maxBytes: 100 })] });
    expect(await send(url, { body: `${BODY}${' '.repeat(200)}` })).toBe(413);
  });

  it('checks the token, the credentials and the task of what was registered [PUSH-32] [PUSH-35]', async () => {
    const url = await start({ imports: [A2aWebhookModule.forRoot({ path: 'hook', expected: Registered })] });
    Registered.agreed = { token: 'mine', authentication: { scheme: 'Bearer', credentials: 'secret' } };
    const status = (headers: Record<string, string>, body = BODY) => send(url, { headers, body });
    expect(await status({})).toBe(401);
    expect(await status({ 'x-a2a-notification-token': 'mine' })).toBe(401);
    expect(await status({ authorization: 'Bearer secret' })).toBe(401);
    expect(await status({ 'x-a2a-notification-token': 'mine', authorization: 'Basic secret' })).toBe(401);
    expect(await status({ 'x-a2a-notification-token': 'mine', authorization: 'bearer secret' })).toBe(204);
    expect(await status({}, BODY.replace('"t"', '"unknown"'))).toBe(425);
  });

  it('takes a whsec_ token as the secret that signs', async () => {
    const url = await start({ imports: [A2aWebhookModule.forRoot({ path: 'hook', expected: Registered })] });
    Registered.agreed = { token: WHSEC };
    const at = String(Math.floor(Date.now() / 1_000));
    const mac = createHmac('sha256', Buffer.alloc(32, 5)).update(`msg_1.${at}.${BODY}`).digest('base64');
    const headers = { 'webhook-timestamp': at, 'webhook-signature': `v1a,AAAA v1,${mac}` };
    expect(await send(url)).toBe(401);
    expect(await send(url, { headers })).toBe(204);
  });

  it('takes updates of senders that do not sign, once each, by what they say', async () => {
    Registered.agreed = { token: 'mine' };
    const url = await start({ imports: [A2aWebhookModule.forRoot({ path: 'hook', expected: Registered })] });
    const headers = { 'content-type': 'application/a2a+json', 'x-a2a-notification-token': 'mine' };
    const post = async () => (await fetch(`${url}/hook`, { method: 'POST', body: BODY, headers })).status;
    expect([await post(), await post()]).toEqual([204, 204]);
    expect(updates().seen).toHaveLength(1);
  });

  it('guards a controller of the application’s own', async () => {
    const seen: WebhookUpdate[] = [];
    @Controller('own')
    @UseGuards(WebhookGuard)
    @UseInterceptors(OncePerDelivery)
    class Own {
      @Post()
      @HttpCode(202)
      take(@ReceivedUpdate() update: WebhookUpdate) {
        seen.push(update);
      }
    }
    const url = await start({ imports: [A2aWebhookModule.forRoot({ keys: { pinned: [JWK] } })], controllers: [Own] });
    expect(await send(url, { path: '/own', key: STRANGER })).toBe(401);
    expect([await send(url, { path: '/own' }), await send(url, { path: '/own' })]).toEqual([202, 202]);
    expect(seen).toHaveLength(1);
  });
});
