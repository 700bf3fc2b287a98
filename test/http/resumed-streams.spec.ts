import { text } from 'node:stream/consumers';
import { TaskNotFoundError } from '@a2a/a2a-core';
import { Channel } from './support/channel.js';
import { ask, errorCode, post } from './support/http-client.js';
import { item, items } from './support/scripted-handler.js';
import { SUBSCRIBE, useStreamHost } from './support/stream-host.js';
import { ADAPTERS } from './support/wire-host.js';

describe.each(ADAPTERS)('Event streams on %s', (adapter) => {
  const { host, serve, serveItems, subscribe, subscribeRpc } = useStreamHost(adapter);

  it('resume behind the event that Last-Event-ID names [2, SUBS-05]', async () => {
    const asked: (number | undefined)[] = [];
    await serve(async (_request, call) => {
      asked.push(call.lastEventVersion);
      return { response: items([item(1)]), activatedExtensions: [] };
    });
    for (const id of ['0', '17', undefined]) {
      const headers: Record<string, string> = id === undefined ? {} : { 'last-event-id': id };
      await post(host().port, '/rpc', SUBSCRIBE, headers);
      await ask(host().port, { path: '/tasks/t:subscribe', headers });
    }
    expect(asked).toEqual([0, 0, 17, 17, undefined, undefined]);
    for (const id of ['', '-1', '1.5', 'abc', '1'.repeat(20)]) {
      expect(errorCode(await post(host().port, '/rpc', SUBSCRIBE, { 'last-event-id': id }))).toBe(-32602);
    }
  });

  it.each([
    ['JSON-RPC', () => subscribeRpc({ 'last-event-id': '17' })],
    ['HTTP+JSON', () => subscribe({ 'last-event-id': '17' })],
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
    const response = await subscribe({ 'last-event-id': '17' });
    expect([response.statusCode, await text(response)]).toEqual([200, '']);
  });

  it('that cannot resume are an ordinary error of the wire [ERR-34]', async () => {
    await serve(async () => {
      throw new TaskNotFoundError('t');
    });
    const reply = await ask(host().port, { path: '/tasks/t:subscribe', headers: { 'last-event-id': '17' } });
    expect([reply.status, reply.headers['content-type']]).toEqual([404, 'application/a2a+json']);
  });
});
