import { ask, errorCode, post, violatedFields } from './support/http-client.js';
import { ScriptedHandler } from './support/scripted-handler.js';
import { ADAPTERS, WireHost } from './support/wire-host.js';

const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] };

describe.each(ADAPTERS)('HTTP+JSON on %s', (adapter) => {
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

  const get = (path: string) => ask(host.port, { path });

  describe('routes', () => {
    it.each([
      ['POST', '/message:send', 'SendMessage'],
      ['POST', '/message:stream', 'SendStreamingMessage'],
      ['GET', '/tasks/t', 'GetTask'],
      ['GET', '/tasks', 'ListTasks'],
      ['POST', '/tasks/t:cancel', 'CancelTask'],
      ['GET', '/tasks/t:subscribe', 'SubscribeToTask'],
      ['POST', '/tasks/t:subscribe', 'SubscribeToTask'],
      ['POST', '/tasks/t/pushNotificationConfigs', 'CreateTaskPushNotificationConfig'],
      ['GET', '/tasks/t/pushNotificationConfigs', 'ListTaskPushNotificationConfigs'],
      ['GET', '/tasks/t/pushNotificationConfigs/c', 'GetTaskPushNotificationConfig'],
      ['DELETE', '/tasks/t/pushNotificationConfigs/c', 'DeleteTaskPushNotificationConfig'],
      ['GET', '/extendedAgentCard', 'GetExtendedAgentCard'],
    ])('%s %s is %s, at each mount and with each tenant [REST-02, REST-10, REST-11]', async (method, path, operation) => {
      const body = path.startsWith('/message') ? JSON.stringify({ message }) : method === 'POST' ? '{}' : undefined;
      const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      for (const [mount, tenant] of [
        [undefined, undefined],
        [undefined, 'acme'],
        ['other', undefined],
        ['other', 'acme'],
      ]) {
        const prefix = `${mount ? `/agents/${mount}` : ''}${tenant ? `/${tenant}` : ''}`;
        const reply = await ask(host.port, { method, path: prefix + path, headers, body });
        expect([reply.status, handler.last.operation]).toEqual([200, operation]);
        expect(handler.last.call).toMatchObject({ binding: 'HTTP+JSON', ...(mount && { mount }), ...(tenant && { pathTenant: tenant }) });
        expect(handler.last.request).toMatchObject({ tenant: tenant ?? '' });
      }
    });

    it('bind the variables of the path to the members they are named after [REST-09]', async () => {
      await get('/acme/tasks/t/pushNotificationConfigs/c');
      expect(handler.last.request).toMatchObject({ tenant: 'acme', taskId: 't', id: 'c' });
    });

    it.each([
      ['/tasks/urn:uuid:1', 'urn:uuid:1'],
      ['/tasks/a%2Fb%3Ac', 'a/b:c'],
      ['/tasks/%E2%82%AC', '€'],
      [`/tasks/${'x'.repeat(256)}`, 'x'.repeat(256)],
      ['/tasks/tasks', 'tasks'],
      ['/tasks/extendedAgentCard', 'extendedAgentCard'],
      ['/tasks/message:send', 'message:send'],
    ])('take the id from %s [REST-16]', async (path, id) => {
      expect((await get(path)).json).toMatchObject({ id });
    });

    it.each([
      ['/tasks/urn:uuid:1:cancel', 'urn:uuid:1'],
      ['/tasks/a%2Fb:cancel', 'a/b'],
      ['/acme/tasks/a:b:cancel', 'a:b'],
      ['/tasks/x:cancel:cancel', 'x:cancel'],
    ])('take the id before the verb from %s [REST-16]', async (path, id) => {
      expect((await ask(host.port, { method: 'POST', path })).json).toMatchObject({ id });
      expect(handler.last.operation).toBe('CancelTask');
    });

    it.each(['/message:send/', '//message:send', '/agents/other//message:send', '/agents//other/message:send/'])(
      'do not mind a base that ends in a slash: %s [REST-02]',
      async (path) => {
        expect((await post(host.port, path, { message })).status).toBe(200);
      },
    );

    it.each([
      ['GET', '/..%2Fadmin/tasks'],
      ['GET', '/%2e%2e/tasks/t'],
      ['GET', '/a%00b/tasks/t'],
      ['GET', '/tasks/message:send/x'],
      ['POST', '/tasks/message:send'],
      ['POST', '/v1/message:send'],
      ['POST', '/message%3Asend'],
      ['GET', '/agents/nobody/tasks/t'],
      ['GET', '/agents/other/nothing'],
      ['GET', '/agents/tasks'],
    ])('lead nowhere at %s %s [E10, E11, TEN-07]', async (method, path) => {
      const reply = await ask(host.port, { method, path });
      expect([reply.status, errorCode(reply)]).toEqual([404, 404]);
      expect(reply.headers['content-type']).toBe('application/a2a+json');
      expect(handler.seen).toEqual([]);
    });

    it('take an escaped colon for a part of the id [REST-16]', async () => {
      const cancel = await ask(host.port, { method: 'POST', path: '/tasks/t%3Acancel' });
      expect([cancel.status, cancel.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect((await get('/tasks/t%3Asubscribe')).json).toMatchObject({ id: 't:subscribe' });
      expect(handler.seen.map(({ operation }) => operation)).toEqual(['GetTask']);
    });

    it('answer HEAD as GET, without a body, but open no stream for it', async () => {
      expect(await ask(host.port, { method: 'HEAD', path: '/tasks/t' })).toMatchObject({ status: 200, body: '' });
      expect(await ask(host.port, { method: 'HEAD', path: '/tasks/t:subscribe' })).toMatchObject({ status: 405, body: '' });
    });
  });

  describe('requests', () => {
    it('take GET parameters from the query, and unset is not zero [REST-05, HIST-04]', async () => {
      await get('/tasks/t?historyLength=0');
      expect(handler.last.request).toMatchObject({ id: 't', historyLength: 0 });
      await get('/tasks/t?history_length=5&unknown=%zz');
      expect(handler.last.request).toMatchObject({ historyLength: 5 });
      await get('/tasks/t');
      expect(handler.last.request).not.toHaveProperty('historyLength', expect.anything());
    });

    it('take a tenant from the query where the path has none [TEN-04]', async () => {
      await get('/tasks/t?tenant=acme');
      expect(handler.last.request).toMatchObject({ tenant: 'acme' });
      await post(host.port, '/message:send?tenant=acme', { message });
      expect(handler.last.request).toMatchObject({ tenant: 'acme' });
    });

    it.each([
      ['/tasks/t?historyLength=abc', ['historyLength']],
      ['/tasks/t?historyLength=1&historyLength=1', ['historyLength']],
      ['/tasks/t?historyLength=', ['historyLength']],
      ['/tasks/t?historyLength=99999999999', ['historyLength']],
      ['/tasks/t?id=other', ['id']],
      ['/acme/tasks/t?tenant=globex', ['tenant']],
      ['/tasks/a%00b', ['id']],
    ])('are refused where they are no value of their member: %s [REST-08, B10]', async (path, fields) => {
      const reply = await get(path);
      expect([reply.status, violatedFields(reply)]).toEqual([400, fields]);
      expect(handler.seen).toEqual([]);
    });

    it.each([
      ['/tasks/t:cancel', { id: 'other' }, ['id']],
      ['/acme/tasks/t:cancel', { tenant: 'globex' }, ['tenant']],
      ['/tasks/t:cancel?id=other', {}, ['id']],
      ['/message:send?tenant=globex', { message, tenant: 'acme' }, ['tenant']],
    ])('may repeat the path, but not contradict it: %s [REST-09, B10]', async (path, body, fields) => {
      const reply = await post(host.port, path, body);
      expect([reply.status, violatedFields(reply)]).toEqual([400, fields]);
      expect(handler.seen).toEqual([]);
    });

    it('may repeat the path', async () => {
      expect((await post(host.port, '/acme/tasks/t:cancel?id=t', { id: 't', tenant: 'acme' })).status).toBe(200);
    });

    it.each([[undefined], ['null'], ['{}']])('cancel with the body %s [REST-09]', async (body) => {
      const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      expect((await ask(host.port, { method: 'POST', path: '/tasks/t:cancel', headers, body })).status).toBe(200);
    });

    it.each([
      ['[]', ['(body)']],
      ['"x"', ['(body)']],
      ['{"id":"t","id":"t"}', ['id']],
      ['{"metadata":{"a":[{"b":1,"b":1}]}}', ['metadata.a[0].b']],
      ['{"a\\u0000":1}', ['(body)']],
      ['{"metadata":{"a":"\\u0000"}}', ['metadata.a']],
      ['{"metadata":{"__proto__":1}}', ['metadata']],
      ['{"metadata":7}', ['metadata']],
    ])('are refused with the body %s', async (body, fields) => {
      const reply = await post(host.port, '/tasks/t:cancel', body);
      expect([reply.status, violatedFields(reply)]).toEqual([400, fields]);
    });

    it('resume behind the last event seen, by either verb [SUBS-05]', async () => {
      for (const method of ['GET', 'POST']) {
        await ask(host.port, { method, path: '/tasks/t:subscribe', headers: { 'Last-Event-ID': '41' } });
        expect(handler.last.call.lastEventVersion).toBe(41);
        const bad = await ask(host.port, { method, path: '/tasks/t:subscribe', headers: { 'Last-Event-ID': '4x' } });
        expect([bad.status, violatedFields(bad)]).toEqual([400, ['Last-Event-ID']]);
      }
      await ask(host.port, { path: '/tasks/t', headers: { 'Last-Event-ID': '4x' } });
      expect(handler.last.call.lastEventVersion).toBeUndefined();
    });
  });

  describe('answers', () => {
    it('are the bare response message as a2a+json [REST-03, REST-04, REST-12]', async () => {
      const reply = await get('/tasks/t');
      expect(reply).toMatchObject({ status: 200, json: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } });
      expect(reply.headers).toMatchObject({
        'content-type': 'application/a2a+json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      expect(reply.headers.etag ?? reply.headers['x-powered-by']).toBeUndefined();
    });

    it('keep the wrapper of SendMessage [SEND-01]', async () => {
      expect((await post(host.port, '/message:send', { message })).json).toMatchObject({ message: { messageId: 'fixed' } });
    });

    it('say which extensions are in force, on streams too [EXT-05]', async () => {
      handler.activated = ['urn:a'];
      for (const path of ['/tasks/t', '/tasks/t:subscribe']) expect((await get(path)).headers['a2a-extensions']).toBe('urn:a');
    });
  });
});
