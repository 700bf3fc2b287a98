import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { TaskNotFoundError } from '@a2a/a2a-core';
import { comesWithin } from '../support/comes-within.js';
import { withResolvers } from '../support/with-resolvers.js';
import { Channel } from './support/channel.js';
import { ask, errorCode, open, post, untilText } from './support/http-client.js';
import { item, items } from './support/scripted-handler.js';
import { SUBSCRIBE, useStreamHost } from './support/stream-host.js';
import { ADAPTERS } from './support/wire-host.js';

describe.each(ADAPTERS)('Event streams on %s', (adapter) => {
  const { host, serve, serveItems, subscribe, subscribeRpc } = useStreamHost(adapter);

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
      const rest = await ask(host().port, { path: '/tasks/t:subscribe' });
      expect([rest.status, rest.headers['content-type']]).toEqual([404, 'application/a2a+json']);
      const rpc = await post(host().port, '/rpc', SUBSCRIBE);
      expect([rpc.status, rpc.headers['content-type'], errorCode(rpc)]).toEqual([200, 'application/json', -32001]);
    });

    it('while the first item is fetched likewise [ERR-34]', async () => {
      const channel = new Channel();
      await serveItems(channel);
      channel.end(new TaskNotFoundError('t'));
      expect(await ask(host().port, { path: '/tasks/t:subscribe' })).toMatchObject({ status: 404 });
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
        expect(host().logger.lines).toMatchObject([
          { level: 'error', facts: { errorId, error: { message: 'postgres://app:hunter2@db' } } },
        ]);
        if (start === subscribe) await host().stop();
      }
    });
  });

  it('send nothing before the first item, then each item at once [STRM-03]', async () => {
    const channel = new Channel();
    await serveItems(channel);
    const socket = connect(host().port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.write('GET /tasks/t:subscribe HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\n\r\n');
    // Whatever the first request would send is sent before the second one is answered.
    await ask(host().port, { path: '/agents' });
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

  describe('end', () => {
    it('cleanly and at once when the host stops, also those that wait for their first item [7]', async () => {
      const third = withResolvers<void>();
      await serve(async (_request, call) => {
        const channel = new Channel();
        if (call.headers.get('x-first')) channel.push(item(1));
        else third.resolve();
        return { response: channel, activatedExtensions: [] };
      });
      const readers = ['/tasks/a:subscribe', '/tasks/b:subscribe'].map((path) => open(host().port, { path, headers: { 'x-first': '1' } }));
      const bodies = (await Promise.all(readers)).map((response) => text(response));
      const waiting = ask(host().port, { path: '/tasks/c:subscribe' });
      await third.promise;
      expect(await comesWithin(1_000, host().app.close())).toBe(true);
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
      const socket = connect(host().port, '127.0.0.1');
      const get = 'GET /tasks/t:subscribe HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\n';
      socket.write(`${get}\r\n`);
      await once(socket, 'data');
      socket.write(`${get}Connection: close\r\n\r\n`);
      expect(await text(socket)).toContain('HTTP/1.1 200 OK');
    });
  });
});
