import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { A2aBindingsModule } from '@a2a/a2a-bindings';
import { A2aCoreModule } from '@a2a/a2a-core';
import { ask, errorCode, post } from './support/http-client.js';
import { ScriptedHandler } from './support/scripted-handler.js';
import { ADAPTERS, type Adapter, WireHost } from './support/wire-host.js';

const GET_TASK = '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"t"}}';
const ORIGIN = 'https://console.example.com';

@Controller('team')
class TeamController {
  @Get()
  hello(): object {
    return { hello: 'team' };
  }
}

describe.each(ADAPTERS)('Paths that lead nowhere on %s', (adapter) => {
  let host: WireHost;
  beforeAll(async () => {
    host = await WireHost.start(adapter, { handler: new ScriptedHandler(), app: { controllers: [TeamController] } });
  });
  afterAll(() => host.stop());

  it.each([
    ['PUT', '/message:send', 'POST, OPTIONS'],
    ['GET', '/agents/other/message:stream', 'POST, OPTIONS'],
    ['DELETE', '/tasks', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/acme/tasks/t', 'GET, HEAD, OPTIONS'],
    ['PUT', '/tasks/t:subscribe', 'GET, POST, OPTIONS'],
    ['PUT', '/tasks/t/pushNotificationConfigs', 'POST, GET, HEAD, OPTIONS'],
    ['POST', '/tasks/t/pushNotificationConfigs/c', 'GET, HEAD, DELETE, OPTIONS'],
    ['POST', '/.well-known/agent-card.json', 'GET, HEAD, OPTIONS'],
    ['POST', '/agents', 'GET, HEAD, OPTIONS'],
    ['PUT', '/', 'GET, HEAD, POST, OPTIONS'],
  ])('%s %s is 405 as a Status, and says what works [REST-17]', async (method, path, allow) => {
    const reply = await ask(host.port, { method, path });
    expect([reply.status, errorCode(reply), reply.headers.allow]).toEqual([405, 405, allow]);
    expect(reply.headers['content-type']).toBe('application/a2a+json');
  });

  it.each([
    ['GET', '/rpc'],
    ['DELETE', '/agents/other/rpc'],
    ['GET', '/agents/other'],
  ])('%s %s is 405 as a JSON-RPC error [ERR-22]', async (method, path) => {
    const reply = await ask(host.port, { method, path });
    expect([reply.status, errorCode(reply), reply.json.id, reply.headers.allow]).toEqual([405, -32600, null, 'POST, OPTIONS']);
  });

  it.each(['/tasks/t/nothing', '/message:nothing', '/agents/other/nothing', '/agents/other/x/y/z', '/extendedAgentCard/x', '/rpc/a/b'])(
    '%s is 404 as a Status [REST-17]',
    async (path) => {
      const reply = await ask(host.port, { path });
      expect([reply.status, errorCode(reply)]).toEqual([404, 404]);
    },
  );

  it.each(
    ['/agents/nobody', '/agents/nobody/', '/agents/nobody/rpc', '/agents/nobody/anything', '/agents/nobody/message:send'].flatMap((path) =>
      ['GET', 'PUT', 'OPTIONS'].map((method) => [method, path]),
    ),
  )('%s %s is 404 as a Status: nobody lives there [REST-17]', async (method, path) => {
    const reply = await ask(host.port, { method, path });
    expect([reply.status, errorCode(reply), reply.headers.allow]).toEqual([404, 404, undefined]);
  });

  it('a post to the rpc path of nobody is 404 as a JSON-RPC error [ERR-22]', async () => {
    for (const path of ['/agents/nobody', '/agents/nobody/rpc']) {
      expect(await post(host.port, path, GET_TASK)).toMatchObject({ status: 404, json: { jsonrpc: '2.0', error: {} } });
    }
  });

  it('an id may be escaped like any other part of a path', async () => {
    expect((await ask(host.port, { path: '/agents/%6Fther/rpc' })).status).toBe(405);
  });

  it.each([
    '/TASKS',
    '/Tasks/t',
    '/AGENTS',
    '/agents/OTHER/tasks',
    '/agents/other/TASKS',
    '/.WELL-KNOWN/agent-card.json',
    '/ExtendedAgentCard',
  ])('%s is 404 as a Status: letter case counts [REST-17]', async (path) => {
    const reply = await ask(host.port, { path });
    expect([reply.status, errorCode(reply)]).toEqual([404, 404]);
  });

  it('/RPC is 404 for a post too', async () => {
    expect((await post(host.port, '/RPC', GET_TASK)).status).toBe(404);
  });

  it.each(['/tasks/%E0%A4%A', '/agents/%zz/tasks', '/agents/other/tasks/%:cancel'])(
    '%s is 400 as a Status: it cannot be decoded [E16]',
    async (path) => {
      const reply = await ask(host.port, { method: 'POST', path });
      expect([reply.status, errorCode(reply)]).toEqual([400, 400]);
      expect(reply.body).not.toMatch(/decode|URIError|FST_|stack/);
    },
  );

  it("leave the application's own routes and its own 404 alone", async () => {
    expect((await ask(host.port, { path: '/team' })).json).toEqual({ hello: 'team' });
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['POST', '/team'],
      ['GET', '/agents.txt'],
      ['GET', '/Team'],
    ]) {
      expect(await ask(host.port, { method, path })).toMatchObject({ status: 404, json: { statusCode: 404, error: 'Not Found' } });
    }
  });
});

describe.each(ADAPTERS)('Pages of other origins on %s', (adapter) => {
  it('may not use the operations, unless that is configured', async () => {
    const host = await WireHost.start(adapter, { handler: new ScriptedHandler() });
    try {
      const reply = await post(host.port, '/rpc', GET_TASK, { origin: ORIGIN });
      expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([200, undefined]);
      const preflight = await ask(host.port, { method: 'OPTIONS', path: '/rpc', headers: { origin: ORIGIN } });
      expect([preflight.status, preflight.headers.allow, preflight.headers['access-control-allow-origin']]).toEqual([
        204,
        'POST, OPTIONS',
        undefined,
      ]);
    } finally {
      await host.stop();
    }
  });

  it.each([
    ['no setting', undefined],
    ['other origins allowed', { origins: [ORIGIN] }],
  ])('may always ask for public documents with conditions and versions: %s [CARD-10, SVC-05]', async (_, cors) => {
    const host = await WireHost.start(adapter, { handler: new ScriptedHandler(), cors });
    try {
      for (const path of [
        '/.well-known/agent-card.json',
        '/agents/other/.well-known/agent-card.json',
        '/.well-known/webhook-keys.json',
        '/agents',
        '/agents/',
      ]) {
        const { body, headers, status } = await ask(host.port, {
          method: 'OPTIONS',
          path,
          headers: {
            origin: 'https://elsewhere.example',
            'access-control-request-method': 'GET',
            'access-control-request-headers': 'a2a-version, if-none-match',
          },
        });
        expect([status, body]).toEqual([204, '']);
        expect(headers).toMatchObject({
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, HEAD, OPTIONS',
          'access-control-allow-headers': expect.stringMatching(/A2A-Version.*If-None-Match, If-Modified-Since$/),
          'access-control-max-age': '600',
        });
        expect(headers['access-control-allow-credentials']).toBeUndefined();
      }
      for (const path of ['/rpc', '/tasks', '/']) {
        const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' };
        const preflight = await ask(host.port, { method: 'OPTIONS', path, headers });
        expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, undefined]);
      }
    } finally {
      await host.stop();
    }
  });

  it('that are configured may, and see the headers of the protocol, on errors and streams too [SVC-05]', async () => {
    const host = await WireHost.start(adapter, { handler: new ScriptedHandler(), cors: { origins: [ORIGIN], maxAgeSeconds: 60 } });
    try {
      const preflight = await ask(host.port, {
        method: 'OPTIONS',
        path: '/agents/other/tasks/t:subscribe',
        headers: { origin: ORIGIN, 'access-control-request-method': 'GET' },
      });
      expect([preflight.status, preflight.body]).toEqual([204, '']);
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-methods': 'GET, POST, OPTIONS',
        'access-control-allow-headers': 'A2A-Version, A2A-Extensions, Last-Event-ID, A2A-Anonymous-Session, Authorization, Content-Type',
        'access-control-max-age': '60',
        vary: 'Origin',
      });
      for (const path of ['/tasks/t', '/tasks/t:subscribe', '/tasks/t?historyLength=x', '/tasks/t/nothing', '/agents/nobody/tasks']) {
        const { headers } = await ask(host.port, { path, headers: { origin: ORIGIN } });
        expect(headers['access-control-allow-origin']).toBe(ORIGIN);
        expect(headers['access-control-expose-headers']).toContain('A2A-Version, A2A-Extensions');
      }
      const foreign = await ask(host.port, { path: '/tasks/t', headers: { origin: 'https://evil.example' } });
      expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
    } finally {
      await host.stop();
    }
  });
});

describe('An application that does not fit', () => {
  async function start(httpAdapter: Adapter, adapter: ExpressAdapter | FastifyAdapter): Promise<void> {
    @Module({
      imports: [A2aCoreModule.forRoot({ publicUrl: 'https://h.example' }), A2aBindingsModule.forRoot({ httpAdapter })],
    })
    class MisfitModule {}
    const app = await NestFactory.create<INestApplication>(MisfitModule, adapter, { logger: false, abortOnError: false });
    await app.init();
  }

  it('does not start on another adapter than the routes are spelled for, and says what to do', async () => {
    await expect(start('fastify', new ExpressAdapter())).rejects.toThrow("forRoot({ httpAdapter: 'express' })");
    await expect(start('express', new FastifyAdapter())).rejects.toThrow("forRoot({ httpAdapter: 'fastify' })");
  });

  it('does not start on a Fastify without the options it needs, and says what to do', async () => {
    await expect(start('fastify', new FastifyAdapter())).rejects.toThrow('new FastifyAdapter(A2A_FASTIFY_OPTIONS)');
  });
});

describe.each(ADAPTERS)('A global prefix on %s', (adapter) => {
  it('moves everything, when the bindings are told of it', async () => {
    const host = await WireHost.start(adapter, { handler: new ScriptedHandler(), pathPrefix: 'api/v1', bodyParser: true });
    try {
      expect((await post(host.port, '/api/v1/rpc', GET_TASK)).json.result).toBeDefined();
      expect((await post(host.port, '/api/v1/tasks/t:cancel', {})).status).toBe(200);
      expect(await ask(host.port, { method: 'PUT', path: '/api/v1/tasks' })).toMatchObject({ status: 405, json: { error: { code: 405 } } });
      expect((await ask(host.port, { path: '/api/v1/.well-known/agent-card.json' })).status).toBe(200);
      expect((await ask(host.port, { path: '/tasks/t' })).status).toBe(404);
    } finally {
      await host.stop();
    }
  });
});
