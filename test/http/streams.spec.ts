import { once } from 'node:events';
import { type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Answer, type IncomingCall, type StreamItem, TaskNotFoundError } from '@a2a/a2a-core';
import { comesWithin } from '../support/comes-within.js';
import { ask, errorCode, open, post } from './support/http-client.js';
import { Channel } from './support/channel.js';
import { item, items } from './support/scripted-handler.js';
import { ADAPTERS, WireHost, type WireHostOptions } from './support/wire-host.js';

const SUBSCRIBE = '{"jsonrpc":"2.0","id":9007199254740993,"method":"SubscribeToTask","params":{"id":"t"}}';
const HEADERS = { 'content-type': 'application/json' };

type Stream = (request: unknown, call: IncomingCall) => Promise<Answer<AsyncIterable<StreamItem>>>;

describe.each(ADAPTERS)('Event streams on %s', (adapter) => {
  let host: WireHost;
  afterEach(() => host.stop());

  async function serve(subscribeToTask: Stream, options: WireHostOptions = {}): Promise<void> {
    host = await WireHost.start(adapter, { handler: { subscribeToTask }, ...options });
  }
  const serveItems = (source: AsyncIterable<StreamItem>, options?: WireHostOptions) =>
    serve(async () => ({ response: source, activatedExtensions: ['urn:x'] }), options);
  const subscribe = () => open(host.port, { path: '/tasks/t:subscribe' });
  const subscribeRpc = () => open(host.port, { method: 'POST', path: '/rpc', headers: HEADERS }, SUBSCRIBE);

  it.each([
    ['JSON-RPC', subscribeRpc, (json: string) => `{"jsonrpc":"2.0","id":9007199254740993,"result":${json}}`],
    ['HTTP+JSON', subscribe, (json: string) => json],
  ])('are one frame for each item, with its version as id: %s [JRPC-09, REST-13]', async (_, start, frame) => {
    const [first, second, unversioned] = [item(1), item(2), item()];
    await serveItems(items([first, second, unversioned]));
    const response = await start();
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'a2a-extensions': 'urn:x',
    });
    expect(await text(response)).toBe(
      `id: 1\ndata: ${frame(first.json)}\n\nid: 2\ndata: ${frame(second.json)}\n\ndata: ${frame(unversioned.json)}\n\n`,
    );
  });

  describe('that fail', () => {
    it('before the first item are an ordinary error of the wire [ERR-23, ERR-34, B3]', async () => {
      await serve(async () => {
        throw new TaskNotFoundError('t');
      });
      const rest = await ask(host.port, { path: '/tasks/t:subscribe' });
      expect([rest.status, rest.headers['content-type']]).toEqual([404, 'application/a2a+json']);
      const rpc = await post(host.port, '/rpc', SUBSCRIBE);
      expect([rpc.status, rpc.headers['content-type'], errorCode(rpc)]).toEqual([200, 'application/json', -32001]);
    });

    it('while the first item is fetched likewise [ERR-34]', async () => {
      const channel = new Channel();
      await serveItems(channel);
      channel.end(new TaskNotFoundError('t'));
      expect(await ask(host.port, { path: '/tasks/t:subscribe' })).toMatchObject({ status: 404 });
    });

    it('later end with one error frame, and tell nothing of an error that is not public [ERR-10, ERR-23, ERR-34, E15]', async () => {
      for (const [start, envelope] of [
        [subscribe, {}],
        [subscribeRpc, { jsonrpc: '2.0' }],
      ] as const) {
        const channel = new Channel();
        await serveItems(channel);
        channel.push(item(1));
        channel.end(new Error('postgres://app:hunter2@db'));
        const body = await text(await start());
        const frames = body.split('\n\n').filter(Boolean);
        expect(frames).toHaveLength(2);
        const frame = JSON.parse(frames[1]?.replace('data: ', '') ?? '') as { error: object };
        expect(frame).toMatchObject({ ...envelope, error: { message: 'Internal error' } });
        expect(body).not.toContain('hunter2');
        const errorId = /"errorId":"([^"]+)"/.exec(body)?.[1];
        expect(host.logger.lines).toMatchObject([{ level: 'error', facts: { errorId, error: { message: 'postgres://app:hunter2@db' } } }]);
        if (start === subscribe) await host.stop();
      }
    });
  });

  it('send nothing before the first item, then each item at once [STRM-03]', async () => {
    const channel = new Channel();
    await serveItems(channel);
    const socket = connect(host.port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.write('GET /tasks/t:subscribe HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\n\r\n');
    // Whatever the first request would send is sent before the second one is answered.
    await ask(host.port, { path: '/agents' });
    expect(received).toBe('');
    channel.push(item(1));
    await once(socket, 'data');
    expect(received).toContain('HTTP/1.1 200 OK');
    channel.end();
    await once(socket, 'data');
    socket.destroy();
  });

  it('are kept open by comments while nothing happens, so that dead connections are found [D10] [DLV-13]', async () => {
    const channel = new Channel();
    await serveItems(channel, { limits: { keepAliveMs: 20 } });
    channel.push(item(1));
    const response = await subscribe();
    expect(await untilText(response, ': keep-alive\n\n: keep-alive\n\n')).toMatch(/^id: 1\ndata: .*\n\n: keep-alive/);
    response.destroy();
  });

  describe('whose reader', () => {
    it('takes nothing stop the source, however much it has; memory stays flat [DLV-11, D8]', async () => {
      const source = { made: 0 };
      const big = item(1, 'x'.repeat(1_000));
      async function* flood(): AsyncGenerator<StreamItem> {
        for (; source.made < 300_000; source.made++) yield big;
      }
      await serveItems(flood());
      const socket = connect(host.port, '127.0.0.1');
      socket.pause();
      socket.write('GET /tasks/t:subscribe HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\n\r\n');
      await untilSteady(host, () => source.made);
      const heap = process.memoryUsage().heapUsed;
      // The system may take a little more meanwhile, when it acknowledges late what it has.
      const made = await untilSteady(host, () => source.made);
      expect(made).toBeGreaterThan(0);
      expect(made).toBeLessThan(20_000);
      expect(process.memoryUsage().heapUsed - heap).toBeLessThan(32 * 1_048_576);
      socket.destroy();
    });

    it('takes nothing for too long are dropped, alone [DLV-11, D8]', async () => {
      const sources = [new Channel(), new Channel()];
      let next = 0;
      await serve(async () => ({ response: sources[next++] as Channel, activatedExtensions: [] }), { limits: { stalledReaderMs: 200 } });
      const [stalled, lively] = sources as [Channel, Channel];
      const flood = Array.from({ length: 20_000 }, (_, index) => item(index + 1, 'x'.repeat(1_000)));
      const socket = connect(host.port, '127.0.0.1');
      socket.pause();
      socket.write('GET /tasks/t:subscribe HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\n\r\n');
      stalled.push(...flood);
      while (stalled.taken === 0) await ask(host.port, { path: '/agents' });
      lively.push(item(1));
      const response = await subscribe();
      await stalled.left();
      lively.push(item(2));
      await untilText(response, 'id: 2\n');
      expect(stalled.taken).toBeLessThan(flood.length);
      response.destroy();
      socket.destroy();
    });

    it.each([
      ['HTTP+JSON', subscribe],
      ['JSON-RPC', subscribeRpc],
    ])('leaves tell the source within 100 ms: %s [DLV-05]', async (_, start) => {
      const channel = new Channel();
      let signal: AbortSignal | undefined;
      await serve(async (_request, call) => {
        signal = call.signal;
        return { response: channel, activatedExtensions: [] };
      });
      channel.push(item(1));
      const response = await start();
      const left = channel.left();
      response.destroy();
      expect(await comesWithin(100, left)).toBe(true);
      expect(signal?.aborted).toBe(true);
    });

    it('leaves before the first item abort the call', async () => {
      const asked = withResolvers<AbortSignal>();
      await serve((_request, call) => {
        asked.resolve(call.signal);
        return new Promise((_resolve, reject) => call.signal.addEventListener('abort', () => reject(new Error('gone'))));
      });
      const socket = connect(host.port, '127.0.0.1');
      socket.write('GET /tasks/t:subscribe HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\n\r\n');
      const signal = await asked.promise;
      socket.destroy();
      await once(signal, 'abort');
      expect(signal.aborted).toBe(true);
    });
  });

  describe('end', () => {
    it('cleanly and at once when the host stops, also those that wait for their first item [7]', async () => {
      const third = withResolvers<void>();
      await serve(async (_request, call) => {
        const channel = new Channel();
        if (call.headers.get('x-first')) channel.push(item(1));
        else third.resolve();
        return { response: channel, activatedExtensions: [] };
      });
      const readers = ['/tasks/a:subscribe', '/tasks/b:subscribe'].map((path) => open(host.port, { path, headers: { 'x-first': '1' } }));
      const bodies = (await Promise.all(readers)).map((response) => text(response));
      const waiting = ask(host.port, { path: '/tasks/c:subscribe' });
      await third.promise;
      expect(await comesWithin(1_000, host.app.close())).toBe(true);
      for (const body of bodies) expect(await body).toMatch(/^id: 1\ndata: .*\n\n$/);
      expect(await waiting).toMatchObject({ status: 503, json: { error: { status: 'UNAVAILABLE' } } });
    });

    it('when they are old; the reader subscribes again [D10]', async () => {
      const channel = new Channel();
      await serveItems(channel, { limits: { streamAgeMs: 50 } });
      channel.push(item(1));
      expect(await text(await subscribe())).toMatch(/^id: 1\ndata: .*\n\n$/);
      await channel.left();
    });

    it('and leave the connection open for the next request', async () => {
      await serveItems(items([item(1)]));
      const socket = connect(host.port, '127.0.0.1');
      const get = 'GET /tasks/t:subscribe HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\n';
      socket.write(`${get}\r\n`);
      await once(socket, 'data');
      socket.write(`${get}Connection: close\r\n\r\n`);
      expect(await text(socket)).toContain('HTTP/1.1 200 OK');
    });
  });

  it('are refused when the process has no room for another [D9, ERR-06]', async () => {
    const channel = new Channel();
    await serveItems(channel, { limits: { openStreams: 1 } });
    channel.push(item(1));
    const response = await subscribe();
    const rest = await ask(host.port, { path: '/tasks/t:subscribe' });
    expect([rest.status, rest.headers['retry-after'], rest.json]).toMatchObject([429, '5', { error: { status: 'RESOURCE_EXHAUSTED' } }]);
    const rpc = await post(host.port, '/rpc', SUBSCRIBE);
    expect([rpc.status, errorCode(rpc)]).toEqual([429, -32603]);
    response.destroy();
    await channel.left();
  });

  it('resume behind the event that Last-Event-ID names [2, SUBS-05]', async () => {
    const asked: (number | undefined)[] = [];
    await serve(async (_request, call) => {
      asked.push(call.lastEventVersion);
      return { response: items([item(1)]), activatedExtensions: [] };
    });
    for (const id of ['0', '17', undefined]) {
      const headers: Record<string, string> = id === undefined ? {} : { 'last-event-id': id };
      await post(host.port, '/rpc', SUBSCRIBE, headers);
      await ask(host.port, { path: '/tasks/t:subscribe', headers });
    }
    expect(asked).toEqual([0, 0, 17, 17, undefined, undefined]);
    for (const id of ['', '-1', '1.5', 'abc', '1'.repeat(20)]) {
      expect(errorCode(await post(host.port, '/rpc', SUBSCRIBE, { 'last-event-id': id }))).toBe(-32602);
    }
  });

  it.each([
    ['JSON-RPC', () => open(host.port, { method: 'POST', path: '/rpc', headers: { ...HEADERS, 'last-event-id': '17' } }, SUBSCRIBE)],
    ['HTTP+JSON', () => open(host.port, { path: '/tasks/t:subscribe', headers: { 'last-event-id': '17' } })],
  ])('answer a reader that resumes before anything new happens: %s [SUBS-05]', async (_, resume) => {
    const channel = new Channel();
    await serveItems(channel);
    const response = await resume();
    expect([response.statusCode, response.headers['content-type'], response.headers['a2a-extensions']]).toEqual([
      200,
      'text/event-stream',
      'urn:x',
    ]);
    channel.push(item(18));
    channel.end(new TaskNotFoundError('t'));
    expect(await text(response)).toMatch(/^id: 18\ndata: .*\n\ndata: .*TASK_NOT_FOUND.*\n\n$/);
  });

  it('that resume where all is over end at once, and well [SUBS-05]', async () => {
    await serveItems(items([]));
    const response = await open(host.port, { path: '/tasks/t:subscribe', headers: { 'last-event-id': '17' } });
    expect([response.statusCode, await text(response)]).toEqual([200, '']);
  });

  it('that cannot resume are an ordinary error of the wire [ERR-34]', async () => {
    await serve(async () => {
      throw new TaskNotFoundError('t');
    });
    const reply = await ask(host.port, { path: '/tasks/t:subscribe', headers: { 'last-event-id': '17' } });
    expect([reply.status, reply.headers['content-type']]).toEqual([404, 'application/a2a+json']);
  });
});

/** The value once it is above zero and a few exchanges with the host no longer change it. */
async function untilSteady({ port }: WireHost, look: () => number): Promise<number> {
  for (let before = -1; ; before = look()) {
    for (let index = 0; index < 20; index++) await ask(port, { path: '/agents' });
    if (look() > 0 && look() === before) return before;
  }
}

async function untilText(response: IncomingMessage, wanted: string): Promise<string> {
  let received = '';
  for await (const chunk of response.iterator({ destroyOnReturn: false })) {
    received += String(chunk);
    if (received.includes(wanted)) return received;
  }
  throw new Error(`The stream ended without ${wanted}`);
}

function withResolvers<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
