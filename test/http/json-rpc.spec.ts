import { fastest } from '../support/fastest.js';
import { ask, errorCode, post, rpc, violatedFields } from './support/http-client.js';
import { ScriptedHandler } from './support/scripted-handler.js';
import { ADAPTERS, WireHost } from './support/wire-host.js';

const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] };
const request = (id: string, method = 'GetTask', params = '{"id":"t"}') =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;

describe.each(ADAPTERS)('JSON-RPC on %s', (adapter) => {
  const handler = new ScriptedHandler();
  let host: WireHost;

  beforeAll(async () => {
    host = await WireHost.start(adapter, { handler });
  });
  afterAll(() => host.stop());
  beforeEach(() => {
    handler.seen.length = 0;
    handler.activated = [];
  });

  const send = (body: string | object, path = '/rpc') => post(host.port, path, body);

  describe('addresses', () => {
    it.each(['/rpc', '/rpc/', '/', '/agents/other/rpc', '/agents/other/rpc/', '/agents/other', '/agents/other/', '/agents/other//rpc'])(
      'answers at %s [JRPC-02]',
      async (path) => {
        expect((await send(request('1'), path)).json.result).toMatchObject({ id: 't' });
        expect(handler.last.call.mount).toBe(path.startsWith('/agents') ? 'other' : undefined);
      },
    );

    it('takes a tenant from the path [JRPC-12]', async () => {
      await send(request('1'), '/agents/demo/rpc/acme');
      expect(handler.last.call).toMatchObject({ mount: 'demo', pathTenant: 'acme', binding: 'JSONRPC' });
    });

    it.each(['/agents/nobody/rpc', '/rpc/..%2Fadmin', '/rpc/tasks', '/rpc/a%00b', '/agents/..%2f..%2frpc'])(
      'answers 404 at %s without reading on [E10, TEN-07]',
      async (path) => {
        const reply = await send(request('1'), path);
        expect(reply.status).toBe(404);
        expect(reply.json.error).toBeDefined();
        expect(handler.seen).toEqual([]);
      },
    );
  });

  describe('ids', () => {
    it.each([
      '1',
      '0',
      '-7',
      '9007199254740993',
      '123456789012345678901234567890',
      '1.50',
      '1e3',
      '"a"',
      '""',
      '"9007199254740993"',
      'null',
      '"\\u00e9\\"\\\\"',
    ])('come back exactly as sent: %s [JRPC-05]', async (id) => {
      expect((await send(request(id))).body).toMatch(new RegExp(`^\\{"jsonrpc":"2.0","id":${escapeRegExp(id)},"result":`));
      expect((await send(request(id, 'Nope'))).body).toMatch(new RegExp(`^\\{"jsonrpc":"2.0","id":${escapeRegExp(id)},"error":`));
    });

    it('may stand anywhere in the object, with any spacing', async () => {
      const reply = await send('{ "params" : { "id" : "t" } , "method":"GetTask",\n"id" \t: \r\n 18446744073709551615 ,"jsonrpc":"2.0"}');
      expect(reply.body).toContain('"id":18446744073709551615,');
    });

    it.each(['true', '{}', '[1]', `"${'x'.repeat(257)}"`, '1'.repeat(257), '"\\ud800"', '"\\u0000"', '1e999'])(
      'of another kind are refused: %s [JRPC-06, E3]',
      async (id) => {
        const reply = await send(request(id));
        expect(reply.status).toBe(200);
        expect(errorCode(reply)).toBe(-32600);
        expect(reply.json.id).toBeNull();
        expect(handler.seen).toEqual([]);
      },
    );

    it('must be there: a notification is refused and not carried out [JRPC-06, E2]', async () => {
      const reply = await send({ jsonrpc: '2.0', method: 'CancelTask', params: { id: 't' } });
      expect([errorCode(reply), reply.json.id]).toEqual([-32600, null]);
      expect(handler.seen).toEqual([]);
    });
  });

  describe('envelopes', () => {
    it.each([
      ['a batch [JRPC-07, E1]', `[${request('1')},${request('2')}]`, -32600, null],
      ['an empty batch [JRPC-07]', '[]', -32600, null],
      ['another version [JRPC-08, E6]', '{"jsonrpc":"1.0","id":5,"method":"GetTask","params":{"id":"t"}}', -32600, 5],
      ['no version [JRPC-08]', '{"id":5,"method":"GetTask","params":{"id":"t"}}', -32600, 5],
      ['a method that is no text [JRPC-08]', '{"jsonrpc":"2.0","id":5,"method":1}', -32600, 5],
      ['no method [JRPC-08]', '{"jsonrpc":"2.0","id":5}', -32600, 5],
      ['text [JRPC-08]', '"GetTask"', -32600, null],
      ['null [JRPC-08]', 'null', -32600, null],
      [
        'a repeated member [JRPC-13, E4]',
        '{"jsonrpc":"2.0","id":5,"method":"GetTask","method":"CancelTask","params":{"id":"t"}}',
        -32600,
        null,
      ],
      ['a repeated id [JRPC-13, E4]', '{"jsonrpc":"2.0","id":5,"id":6,"method":"GetTask","params":{"id":"t"}}', -32600, null],
      ['repeated params [JRPC-13, E4]', '{"jsonrpc":"2.0","id":5,"method":"GetTask","params":{},"params":{"id":"t"}}', -32600, null],
      ['a key that reaches a prototype, beside params [D3]', '{"jsonrpc":"2.0","id":5,"method":"GetTask","__proto__":{}}', -32600, 5],
      ['an unknown method [JRPC-08, D.6]', request('5', 'Nope'), -32601, 5],
      ['a method in another case [JRPC-03]', request('5', 'getTask'), -32601, 5],
      ['a method of an older version [JRPC-03]', request('5', 'tasks/get'), -32601, 5],
      ['a word of the language [E9]', request('5', '__proto__'), -32601, 5],
      ['another word of the language [E9]', request('5', 'constructor'), -32601, 5],
      ['params in a list [JRPC-04]', request('5', 'GetTask', '["t"]'), -32602, 5],
      ['params that are null [JRPC-04]', request('5', 'GetTask', 'null'), -32602, 5],
      ['params of the wrong type [JRPC-08]', request('5', 'GetTask', '{"id":7}'), -32602, 5],
      ['broken JSON [JRPC-08, D.6]', '{"jsonrpc":"2.0","id":5,"method":', -32700, null],
      ['nothing [JRPC-08]', '', -32700, null],
    ])('refuses %s', async (_, body, code, id) => {
      const reply = await send(body);
      expect([reply.status, errorCode(reply), reply.json.id]).toEqual([200, code, id]);
      expect(reply.headers['content-type']).toBe('application/json');
      expect(handler.seen).toEqual([]);
    });

    it.each([
      ['{"id":"t","id":"u"}', 'id'],
      ['{"id":"t","more":[{"a":1,"a":2}]}', 'more[0].a'],
    ])('takes no member of params twice: %s [JRPC-13]', async (params, field) => {
      const reply = await send(request('5', 'GetTask', params));
      expect([errorCode(reply), violatedFields(reply), reply.json.id]).toEqual([-32602, [field], 5]);
      expect(handler.seen).toEqual([]);
    });

    it('needs no params where nothing is required [JRPC-04]', async () => {
      const reply = await send({ jsonrpc: '2.0', id: 1, method: 'GetTask' });
      expect(reply.json.result).toBeDefined();
    });

    it('ignores members it does not know', async () => {
      expect((await send({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 't', more: 1 }, extra: {} })).json.result).toBeDefined();
    });

    it('takes camelCase and the names of the proto, not both [SER-02]', async () => {
      await send(request('1', 'GetTask', '{"id":"t","history_length":3}'));
      expect(handler.last.request).toMatchObject({ historyLength: 3 });
      const both = await send(request('1', 'GetTask', '{"id":"t","history_length":3,"historyLength":3}'));
      expect([errorCode(both), violatedFields(both)]).toEqual([-32602, ['historyLength']]);
    });
  });

  describe('malformed params', () => {
    const withMessage = (change: object) =>
      send({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: { ...message, ...change } } });

    it.each([
      ['two contents in a part [SER-09]', { parts: [{ text: 'a', url: 'https://x' }] }],
      ['base64 that is none [SER-08]', { parts: [{ raw: '!!!' }] }],
      ['an unknown role [SER-03]', { role: 'ROLE_KING' }],
      ['U+0000 [D6]', { parts: [{ text: 'a\u0000b' }] }],
      ['half a surrogate pair [D6]', { messageId: '\ud800' }],
    ])('are refused: %s', async (_, change) => {
      expect(errorCode(await withMessage(change))).toBe(-32602);
      expect(handler.seen).toEqual([]);
    });

    it('are refused before they reach any prototype [D3]', async () => {
      const reply = await send(request('1', 'SendMessage', '{"message":{"metadata":{"__proto__":{"admin":true}}}}'));
      expect([errorCode(reply), reply.json.id]).toEqual([-32602, 1]);
    });

    it.each([
      ['nesting [D2]', `{"metadata":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`],
      ['more values than a message may have [D4]', `{"message":{"parts":[${'{"text":""},'.repeat(20_000)}{}]}}`],
    ])('are refused by size before they are parsed, with the id: %s', async (_, params) => {
      const refuse = async (): Promise<void> => {
        const reply = await send(request('77', 'SendMessage', params));
        expect([reply.status, errorCode(reply), reply.json.id]).toEqual([200, -32602, 77]);
      };
      expect(await fastest(refuse, 500)).toBeLessThan(500);
    });

    it('names the member that holds what no store can keep [D6]', async () => {
      expect(violatedFields(await withMessage({ parts: [{ text: 'ok' }, { text: '\u0000' }] }))).toEqual(['message.parts[1].text']);
    });
  });

  describe('answers', () => {
    it('are the response message as result, not to be kept by anybody [JRPC-09, E22]', async () => {
      const reply = await rpc(host.port, 'SendMessage', { message });
      expect(reply.json).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: { message: { ...message, messageId: 'fixed', parts: [{ text: 'answer' }] } },
      });
      expect(reply.headers).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      expect(reply.headers.etag ?? reply.headers['x-powered-by']).toBeUndefined();
    });

    it('say which extensions are in force [EXT-05]', async () => {
      handler.activated = ['urn:a', 'urn:b'];
      expect((await rpc(host.port, 'GetTask', { id: 't' })).headers['a2a-extensions']).toBe('urn:a, urn:b');
      handler.activated = [];
      expect((await rpc(host.port, 'GetTask', { id: 't' })).headers['a2a-extensions']).toBeUndefined();
    });

    it('accept a2a+json as the type of the request too [JRPC-02]', async () => {
      const reply = await post(host.port, '/rpc', request('1'), { 'content-type': 'application/a2a+json; charset=utf-8' });
      expect(reply.json.result).toBeDefined();
    });
  });

  describe('what the core gets to know', () => {
    it('is every header, in lower case and joined, and the version of the query [SVC-01, VER-04]', async () => {
      await ask(host.port, {
        method: 'POST',
        path: '/rpc?a2a-VERSION=1.0&x=1&x=2',
        headers: { 'content-type': 'application/json', 'A2A-Extensions': ['urn:a', 'urn:b'], 'X-Thing': 'Y' },
        body: request('1'),
      });
      const { call } = handler.last;
      expect(call.headers.get('a2a-extensions')).toBe('urn:a, urn:b');
      expect(call.headers.get('x-thing')).toBe('Y');
      expect(call.queryVersion).toBe('1.0');
      expect(call.query?.get('x')).toEqual(['1', '2']);
      expect([...(call.repeatedHeaders ?? [])]).toEqual(['a2a-extensions']);
      expect(call.remoteAddress).toBe('127.0.0.1');
      expect(call.connectionId).toMatch(/^[0-9a-f-]{36}$/);
    });
  });
});

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
