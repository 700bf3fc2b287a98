import { randomUUID } from 'node:crypto';
import { type ConformanceHost } from './conformance-host.js';
import { runTask, say } from './requests.js';

const SEND = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"SendMessage","params":${JSON.stringify(say('/echo hi'))}}`;

/** Envelopes, ids and addresses of JSON-RPC: A2A §9. */
export function jsonRpcSuite(host: () => ConformanceHost): void {
  describe('JSON-RPC envelopes', () => {
    const answerTo = async (body: string): Promise<unknown> => JSON.parse((await host().jsonRpc.post(body)).text);
    const failure = (code: number, id: unknown = null) => ({
      jsonrpc: '2.0',
      id,
      error: { code, message: expect.any(String), data: expect.any(Array) },
    });

    it.each(['', '{', 'hello', '{"jsonrpc":"2.0",}', '\ufeff{}'])('calls %j a parse error [ERR-21] [JRPC-08]', async (body) => {
      const reply = await host().jsonRpc.post(body);
      expect(JSON.parse(reply.text)).toEqual(failure(-32700));
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
      expect(reply.text).not.toMatch(/position|Unexpected|SyntaxError|<html/i);
    });

    it.each([
      '[]',
      '[{"jsonrpc":"2.0","id":1,"method":"ListTasks"}]',
      '"text"',
      '1',
      'null',
      '{}',
      '{"jsonrpc":"2.0","id":{},"method":"ListTasks"}',
      '{"jsonrpc":"2.0","id":[1],"method":"ListTasks"}',
      '{"jsonrpc":"2.0","id":true,"method":"ListTasks"}',
    ])('calls %s an invalid request [ERR-21] [JRPC-06] [JRPC-07]', async (body) => {
      expect(await answerTo(body)).toEqual(failure(-32600));
    });

    it.each(['"1.0"', '2.0', '"2.1"', 'null'])('refuses jsonrpc %s [JRPC-01]', async (version) => {
      const answer = await answerTo(`{"jsonrpc":${version},"id":7,"method":"ListTasks"}`);
      expect(answer).toMatchObject({ error: { code: -32600 } });
      expect([null, 7]).toContain((answer as { id: unknown }).id);
    });

    it('refuses a call that is given a member twice [JRPC-13]', async () => {
      const answer = await answerTo('{"jsonrpc":"2.0","id":7,"method":"ListTasks","method":"CancelTask","params":{}}');
      expect(answer).toMatchObject({ error: { code: -32600 } });
    });

    it('refuses a notification and does not execute it [JRPC-06]', async () => {
      const contextId = randomUUID();
      const params = JSON.stringify(say('/task', { contextId }));
      expect(await answerTo(`{"jsonrpc":"2.0","method":"SendMessage","params":${params}}`)).toEqual(failure(-32600));
      expect((await host().jsonRpc.listTasks({ contextId })).totalSize).toBe(0);
    });

    it.each(['message/send', 'sendMessage', 'SENDMESSAGE', 'Send', '', '__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
      'does not know the method %j [JRPC-03]',
      async (method) => {
        expect(await answerTo(JSON.stringify({ jsonrpc: '2.0', id: 'x', method, params: {} }))).toEqual(failure(-32601, 'x'));
      },
    );

    it.each(['[]', '["a"]', '"text"', '1', 'true'])('refuses params %s [JRPC-04]', async (params) => {
      expect(await answerTo(`{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":${params}}`)).toEqual(failure(-32602, 1));
    });

    it('does without params where nothing is required [JRPC-04]', async () => {
      expect(await answerTo('{"jsonrpc":"2.0","id":1,"method":"ListTasks"}')).toMatchObject({
        id: 1,
        result: { tasks: expect.any(Array) },
      });
    });

    it.each(['1', '0', '-7', '"a b"', '""', 'null', '9007199254740993', '123456789012345678901234567890', '1.5', '"\\u00e9"'])(
      'echoes the id %s as it came [JRPC-05] [JRPC-06]',
      async (id) => {
        const { text } = await host().jsonRpc.post(SEND(id));
        expect(JSON.parse(text)).toMatchObject({ result: { message: { parts: [{ text: 'hi' }] } } });
        expect(text).toContain(`"id":${id}`);
      },
    );

    it('is reached with and without a trailing slash', async () => {
      for (const url of [host().jsonRpc.url.replace(/\/$/, ''), `${host().jsonRpc.url.replace(/\/$/, '')}/`]) {
        const response = await fetch(url, {
          method: 'POST',
          body: SEND('1'),
          headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
          redirect: 'manual',
        });
        expect([url, response.status]).toEqual([url, 200]);
      }
    });

    it.each(['application/json; charset=utf-8', 'application/a2a+json'])('reads %s and writes application/json [JRPC-02]', async (type) => {
      const reply = await host().jsonRpc.post(SEND('1'), { 'content-type': type });
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/)]);
    });

    it.each(['text/plain', 'application/xml', 'multipart/form-data', null])(
      'refuses content type %j unread [ERR-22] [A-48]',
      async (type) => {
        const reply = await host().jsonRpc.post(SEND('1'), { 'content-type': type });
        expect(reply.status).toBe(415);
        expect(JSON.parse(reply.text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: expect.any(Number) } });
      },
    );
  });
}

/** Addresses, queries and media types of REST: A2A §11. */
export function restSuite(host: () => ConformanceHost): void {
  describe('REST requests', () => {
    const get = (path: string) => host().rest.request('GET', path);
    const status = async (path: string): Promise<number> => (await get(path)).status;

    it.each(['application/json', 'application/json; charset=utf-8', 'application/a2a+json', 'APPLICATION/JSON'])(
      'reads %s and writes application/a2a+json [REST-03]',
      async (type) => {
        const reply = await host().rest.request('POST', '/message:send', JSON.stringify(say('/echo hi')), { 'content-type': type });
        expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/a2a\+json/)]);
      },
    );

    it.each(['text/plain', 'application/x-www-form-urlencoded', null])('answers content type %j with 415 [REST-03]', async (type) => {
      const reply = await host().rest.request('POST', '/message:send', JSON.stringify(say('/echo hi')), { 'content-type': type });
      expect([reply.status, JSON.parse(reply.text)]).toMatchObject([415, { error: { code: 415, status: 'INVALID_ARGUMENT' } }]);
    });

    it.each([
      ['pageSize', 'pageSize=abc'],
      ['pageSize', 'pageSize='],
      ['pageSize', 'pageSize=1.5'],
      ['pageSize', 'pageSize=1e1'],
      ['pageSize', 'pageSize=0'],
      ['pageSize', 'pageSize=1&pageSize=2'],
      ['includeArtifacts', 'includeArtifacts=1'],
      ['includeArtifacts', 'includeArtifacts=TRUE'],
      ['historyLength', 'historyLength=-1'],
      ['status', 'status=working'],
      ['statusTimestampAfter', 'statusTimestampAfter=yesterday'],
    ])('refuses a bad %s in the query: %s [REST-07] [REST-08] [LIST-08]', async (field, query) => {
      const { status: code, text } = await get(`/tasks?${query}`);
      expect(code).toBe(400);
      const details = (JSON.parse(text) as { error: { details: { fieldViolations?: { field: string }[] }[] } }).error.details;
      expect(details.flatMap(({ fieldViolations = [] }) => fieldViolations.map((violation) => violation.field))).toEqual([field]);
    });

    it.each([
      'pageSize=1',
      'page_size=1',
      'status=TASK_STATE_COMPLETED&pageSize=1',
      'includeArtifacts=true&pageSize=1',
      'historyLength=0&pageSize=1',
      'statusTimestampAfter=2026-01-01T00:00:00Z&pageSize=1',
      'unknown=1&pageSize=1',
    ])('reads the query %s [REST-06] [REST-07] [REST-08]', async (query) => {
      expect(JSON.parse((await get(`/tasks?${query}`)).text)).toMatchObject({ pageSize: 1 });
    });

    it('tells historyLength=0 from no historyLength [HIST-04]', async () => {
      const { id } = await runTask(host().rest, '/task');
      expect(JSON.parse((await get(`/tasks/${id}?historyLength=0`)).text)).not.toHaveProperty('history');
      expect(JSON.parse((await get(`/tasks/${id}`)).text)).toHaveProperty('history');
    });

    it.each([undefined, '', '{}', 'null', '{"metadata":{"why":"changed my mind"}}'])('cancels with the body %j [REST-09]', async (body) => {
      const { id } = await runTask(host().rest, '/ask');
      const reply = await host().rest.request('POST', `/tasks/${id}:cancel`, body);
      expect(JSON.parse(reply.text)).toMatchObject({ id, status: { state: 'TASK_STATE_CANCELED' } });
    });

    it('cancels what is posted with a content type and no body [REST-09]', async () => {
      const { id } = await runTask(host().rest, '/ask');
      expect((await host().rest.request('POST', `/tasks/${id}:cancel`, undefined, { 'content-type': 'application/json' })).status).toBe(
        200,
      );
    });

    it('refuses a body that names another task than the path [REST-09]', async () => {
      const { id } = await runTask(host().rest, '/ask');
      expect((await host().rest.request('POST', `/tasks/${id}:cancel`, '{"id":"another"}')).status).toBe(400);
      expect((await host().rest.request('POST', `/tasks/${id}:cancel`, JSON.stringify({ id }))).status).toBe(200);
    });

    it.each(['/tasks/a/b/c', '/message:sent', '/v1/tasks', '/tasks/x:unknown/y', '/agents/nobody/tasks'])(
      'answers %s with 404 in its own shape [REST-17]',
      async (path) => {
        const { status: code, text, headers } = await get(path);
        expect(code).toBe(404);
        expect(headers.get('content-type')).toMatch(/json/);
        expect(JSON.parse(text)).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } });
      },
    );

    it.each([
      ['PUT', '/message:send', 'POST'],
      ['GET', '/message:send', 'POST'],
      ['DELETE', '/tasks', 'GET'],
    ])('answers %s %s with 405 and Allow [REST-17]', async (method, path, allowed) => {
      const { status: code, headers, text } = await host().rest.request(method, path);
      expect(code).toBe(405);
      expect(headers.get('allow')).toContain(allowed);
      expect(JSON.parse(text)).toMatchObject({ error: { code: 405 } });
    });

    it('serves every operation under a tenant too [REST-11] [TEN-04]', async () => {
      expect(await status('/acme/tasks?pageSize=1')).toBe(await status('/tasks?tenant=acme&pageSize=1'));
      expect(await status('/acme/tasks/nobody')).toBe(404);
    });

    it('has no page of HTML for an error [ERR-30]', async () => {
      for (const path of ['/tasks/nobody', '/nothing', '/message%3Asend', '/tasks/%E0%A4%A', '/tasks?pageSize=abc']) {
        const { status: code, text } = await get(path);
        expect([path, code >= 400, text.includes('<')]).toEqual([path, true, false]);
      }
    });
  });
}
