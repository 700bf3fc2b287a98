import { once } from 'node:events';
import { connect } from 'node:net';
import { type StreamItem } from '@a2a/a2a-core';
import { comesWithin } from '../support/comes-within.js';
import { withResolvers } from '../support/with-resolvers.js';
import { Channel } from './support/channel.js';
import { ask, errorCode, post, untilText } from './support/http-client.js';
import { item } from './support/scripted-handler.js';
import { SUBSCRIBE, useStreamHost } from './support/stream-host.js';
import { ADAPTERS, type WireHost } from './support/wire-host.js';

describe.each(ADAPTERS)('Event streams on %s', (adapter) => {
  const { host, serve, serveItems, subscribe, subscribeRpc } = useStreamHost(adapter);

  describe('whose reader', () => {
    it('takes nothing stop the source, however much it has; memory stays flat [DLV-11, D8]', async () => {
      const source = { made: 0 };
      const big = item(1, 'x'.repeat(1_000));
      async function* flood(): AsyncGenerator<StreamItem> {
        for (; source.made < 300_000; source.made++) yield big;
      }
      await serveItems(flood());
      const socket = connect(host().port, '127.0.0.1');
      socket.pause();
      socket.write('GET /tasks/t:subscribe HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\n\r\n');
      await untilSteady(host(), () => source.made);
      const heap = process.memoryUsage().heapUsed;
      // The system may take a little more meanwhile, when it acknowledges late what it has.
      const made = await untilSteady(host(), () => source.made);
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
      const socket = connect(host().port, '127.0.0.1');
      socket.pause();
      socket.write('GET /tasks/t:subscribe HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\n\r\n');
      stalled.push(...flood);
      while (stalled.taken === 0) await ask(host().port, { path: '/agents' });
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
      const socket = connect(host().port, '127.0.0.1');
      socket.write('GET /tasks/t:subscribe HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\n\r\n');
      const signal = await asked.promise;
      socket.destroy();
      await once(signal, 'abort');
      expect(signal.aborted).toBe(true);
    });
  });

  it('are refused when the process has no room for another [D9, ERR-06]', async () => {
    const channel = new Channel();
    await serveItems(channel, { limits: { openStreams: 1 } });
    channel.push(item(1));
    const response = await subscribe();
    const rest = await ask(host().port, { path: '/tasks/t:subscribe' });
    expect([rest.status, rest.headers['retry-after'], rest.json]).toMatchObject([429, '5', { error: { status: 'RESOURCE_EXHAUSTED' } }]);
    const rpc = await post(host().port, '/rpc', SUBSCRIBE);
    expect([rpc.status, errorCode(rpc)]).toEqual([429, -32603]);
    response.destroy();
    await channel.left();
  });
});

/** The value once it is above zero and a few exchanges with the host no longer change it. */
async function untilSteady({ port }: WireHost, look: () => number): Promise<number> {
  for (let before = -1; ; before = look()) {
    for (let index = 0; index < 20; index++) await ask(port, { path: '/agents' });
    if (look() > 0 && look() === before) return before;
  }
}
