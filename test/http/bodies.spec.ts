import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { Body, Controller, Post } from '@nestjs/common';
import { ask, errorCode, exchangeRaw, post } from './support/http-client.js';
import { ScriptedHandler } from './support/scripted-handler.js';
import { ADAPTERS, WireHost } from './support/wire-host.js';

const GET_TASK = '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"t"}}';
const LIMIT = 1_048_576;

@Controller('team')
class TeamController {
  @Post()
  echo(@Body() body: unknown): unknown {
    return { body: body ?? null };
  }
}

describe.each(ADAPTERS)('Bodies on %s', (adapter) => {
  const handler = new ScriptedHandler();
  let host: WireHost;

  beforeAll(async () => {
    host = await WireHost.start(adapter, { handler });
  });
  afterAll(() => host.stop());
  beforeEach(() => {
    handler.seen.length = 0;
  });

  const head = (path: string, extra: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\nContent-Type: application/json\r\n${extra}\r\n`;

  describe.each([
    ['/rpc', -32600],
    ['/tasks/t:cancel', undefined],
  ])('at %s', (path, code) => {
    const padded = (bytes: number) =>
      path === '/rpc' ? GET_TASK + ' '.repeat(bytes - GET_TASK.length) : `{"metadata":{"a":"${'x'.repeat(bytes - 21)}"}}`;

    it('may have a mebibyte and not a byte more [D1]', async () => {
      expect((await post(host.port, path, padded(LIMIT))).status).toBe(200);
      const reply = await post(host.port, path, padded(LIMIT + 1));
      expect([reply.status, errorCode(reply)]).toEqual([413, code ?? 413]);
      expect(reply.headers.connection).toBe('close');
      expect(handler.seen).toHaveLength(1);
    });

    it('are counted while they arrive, when nothing announces their size [D1]', async () => {
      const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
      const answer = await exchangeRaw(host.port, head(path, 'Transfer-Encoding: chunked\r\n'), chunk.repeat(40));
      expect(answer).toMatch(/^HTTP\/1.1 413 /);
      expect(answer.toLowerCase()).toContain('connection: close');
      expect(handler.seen).toEqual([]);
    });

    it('have to arrive in time [D7]', async () => {
      const impatient = await WireHost.start(adapter, { handler, limits: { bodyTimeoutMs: 300 } });
      const answer = await exchangeRaw(impatient.port, head(path, 'Content-Length: 100\r\n'), '{"jsonrpc":');
      await impatient.stop();
      expect(answer).toMatch(/^HTTP\/1.1 408 /);
      expect(answer).toContain('REQUEST_TIMEOUT');
    });

    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
      'multipart/form-data; boundary=x',
      ';;;',
    ])('have to be JSON by their type: %s [REST-03, E6, A25]', async (type) => {
      const reply = await post(host.port, path, GET_TASK, { 'content-type': type });
      expect([reply.status, errorCode(reply)]).toEqual([415, code ?? 415]);
      expect(handler.seen).toEqual([]);
    });

    it('need a type at all [REST-03]', async () => {
      expect((await ask(host.port, { method: 'POST', path, body: GET_TASK })).status).toBe(415);
    });

    it('are refused by their type before they arrive', async () => {
      const request = head(path, 'Content-Length: 1000\r\n').replace('application/json', 'text/plain');
      expect(await exchangeRaw(host.port, request)).toMatch(/^HTTP\/1.1 415 /);
    });

    it('may not be compressed [D1]', async () => {
      const reply = await post(host.port, path, gzipSync(GET_TASK), { 'content-encoding': 'gzip' });
      expect(reply.status).toBe(415);
    });

    it('have to be UTF-8 [E6]', async () => {
      const reply = await post(host.port, path, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
      expect(reply.body).toContain('PARSE_ERROR');
      expect(errorCode(reply)).toBe(path === '/rpc' ? -32700 : 400);
    });

    it('may not begin with a byte order mark [E6]', async () => {
      expect((await post(host.port, path, `\uFEFF${GET_TASK}`)).body).toContain('PARSE_ERROR');
    });

    it('are never quoted by an error, nor is the parser [E16]', async () => {
      const reply = await post(host.port, path, '{"secret-7f3a":tru');
      expect(reply.body).toContain('"message":"Invalid JSON payload"');
      expect(reply.body).not.toMatch(/secret|Unexpected|position|SyntaxError/);
    });
  });

  it('that end early leave nothing behind', async () => {
    const socket = connect(host.port, '127.0.0.1');
    socket.write(head('/rpc', 'Content-Length: 100\r\n'));
    socket.end('{"jsonrpc"');
    await text(socket);
    expect(handler.seen).toEqual([]);
    expect((await post(host.port, '/rpc', GET_TASK)).status).toBe(200);
    expect(host.logger.lines).toEqual([]);
  });

  it('that come in pieces are read as one', async () => {
    const socket = connect(host.port, '127.0.0.1');
    socket.setNoDelay(true);
    const pieces = [head('/rpc', `Connection: close\r\nContent-Length: ${GET_TASK.length}\r\n`), ...GET_TASK.match(/.{1,7}/g)!];
    for (const piece of pieces) await new Promise((sent) => socket.write(piece, sent));
    expect(await text(socket)).toContain('"result"');
  });

  it('leave the connection fit for the next request', async () => {
    const one = head('/rpc', `Content-Length: ${GET_TASK.length}\r\n`) + GET_TASK;
    const last = head('/rpc', `Connection: close\r\nContent-Length: ${GET_TASK.length}\r\n`) + GET_TASK;
    const answer = await exchangeRaw(host.port, one + one.replace('application/json', 'text/plain') + last);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 415', 'HTTP/1.1 200']);
  });
});

describe.each(ADAPTERS)("The application's own body parsers on %s", (adapter) => {
  it("serve the application's own routes and leave ours alone", async () => {
    const handler = new ScriptedHandler();
    const host = await WireHost.start(adapter, { handler, bodyParser: true, app: { controllers: [TeamController] } });
    try {
      expect((await post(host.port, '/team', { a: 1 })).json).toEqual({ body: { a: 1 } });
      expect((await post(host.port, '/rpc', GET_TASK)).status).toBe(200);
      expect((await post(host.port, '/agents/other//message:send', '{bad')).json.error).toMatchObject({ status: 'INVALID_ARGUMENT' });
      expect((await post(host.port, '/team', '{bad')).json).toMatchObject({ statusCode: 400 });
    } finally {
      await host.stop();
    }
  });
});
