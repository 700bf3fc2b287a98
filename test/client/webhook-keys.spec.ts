import { generateKeyPairSync, sign } from 'node:crypto';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { OutboundHttp, type OutboundOptions, type OutboundResponse } from '@a2a/a2a-core';
import { A2aWebhookModule, WebhookHandler } from '@a2a/a2a-client';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const JWK = publicKey.export({ format: 'jwk' });
const STRANGER = generateKeyPairSync('ed25519').privateKey;
const BODY = JSON.stringify({ statusUpdate: { taskId: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } });

@Injectable()
class Updates {
  @WebhookHandler()
  async onUpdate(): Promise<void> {}
}

describe('the keys of the receiver kit', () => {
  /** A host that publishes keys. */
  class Publisher extends OutboundHttp {
    asked = 0;
    keys: object[] = [];
    refusal(): string | undefined {
      return undefined;
    }
    async get(_url: string, _options: OutboundOptions): Promise<OutboundResponse> {
      this.asked++;
      return { status: 200, headers: new Map(), body: Buffer.from(JSON.stringify({ keys: this.keys })) };
    }
    async post(): Promise<OutboundResponse> {
      throw new Error('nothing is posted');
    }
  }

  it('are fetched once, and again when a signature fits none of them, but not for every forged one', async () => {
    const publisher = new Publisher();
    publisher.keys = [generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), JWK];
    @Module({ providers: [{ provide: OutboundHttp, useValue: publisher }], exports: [OutboundHttp] })
    class Out {}
    @Module({
      imports: [A2aWebhookModule.forRoot({ path: 'hook', keys: { jwksUrl: 'https://agents.example/keys' }, imports: [Out] })],
      providers: [Updates],
    })
    class Receiver {}
    const app = await NestFactory.create(Receiver, new ExpressAdapter(), { logger: false });
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    const post = async (id: string, key = privateKey) => {
      const at = String(Math.floor(Date.now() / 1_000));
      const signature = `v1a,${sign(null, Buffer.from(`${id}.${at}.${BODY}`), key).toString('base64')}`;
      const signed = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature };
      return (await fetch(`${url}/hook`, { method: 'POST', body: BODY, headers: { 'content-type': 'application/a2a+json', ...signed } }))
        .status;
    };
    expect([await post('1'), await post('2')]).toEqual([204, 204]);
    expect(publisher.asked).toBe(1);
    for (let forged = 0; forged < 20; forged++) expect(await post(`f${forged}`, STRANGER)).toBe(401);
    expect(publisher.asked).toBe(1);
    await app.close();
  });

  it('may be pinned as Standard Webhooks writes them', async () => {
    const raw = Buffer.from(String(JWK.x), 'base64url').toString('base64');
    const module = A2aWebhookModule.forRoot({ keys: { pinned: [`whpk_${raw}`] } });
    await expect(NestFactory.createApplicationContext(module, { logger: false, abortOnError: false })).resolves.toBeDefined();
    const bad = A2aWebhookModule.forRoot({ keys: { pinned: ['whpk_short'] } });
    await expect(NestFactory.createApplicationContext(bad, { logger: false, abortOnError: false })).rejects.toThrow('whpk_');
  });

  it('or expectations there must be: a receiver that verifies nothing does not start', async () => {
    const create = (module: ReturnType<typeof A2aWebhookModule.forRoot>) =>
      NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    await expect(create(A2aWebhookModule.forRoot({}))).rejects.toThrow('nothing would be verified');
    await expect(create(A2aWebhookModule.forRoot({ keys: { jwksUrl: 'https://x.example/' } }))).rejects.toThrow('needs OutboundHttp');
    await expect(create(A2aWebhookModule.forRoot({ path: 'hook', keys: { pinned: [JWK] } }))).rejects.toThrow('@WebhookHandler()');
  });
});
