import { ask, errorCode, post, rpc, violatedFields } from './support/http-client.js';
import { ADAPTERS, WireHost } from './support/wire-host.js';

describe.each(ADAPTERS)('JSON-RPC over the engine on %s', (adapter) => {
  let host: WireHost;
  beforeAll(async () => {
    host = await WireHost.start(adapter);
  });
  afterAll(() => host.stop());

  it.each([
    ['an unknown task', 'GetTask', { id: 'nope' }, -32001, 'TASK_NOT_FOUND'],
    [
      'push notifications that the agent does not send',
      'ListTaskPushNotificationConfigs',
      { taskId: 't' },
      -32003,
      'PUSH_NOTIFICATION_NOT_SUPPORTED',
    ],
  ])('refuses %s with the code of the protocol [D.6, ERR-03, ERR-05]', async (_, method, params, code, reason) => {
    const reply = await rpc(host.port, method, params);
    expect(reply.status).toBe(200);
    expect(reply.json.error).toMatchObject({
      code,
      data: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' }],
    });
  });

  it('refuses a message without parts, naming them [D.6]', async () => {
    const reply = await rpc(host.port, 'SendMessage', { message: { messageId: 'm', role: 'ROLE_USER', parts: [] } });
    expect([errorCode(reply), violatedFields(reply)]).toEqual([-32602, ['message.parts']]);
  });

  it('refuses a version it does not speak [D.6, VER-06]', async () => {
    const reply = await post(host.port, '/rpc', '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"t"}}', {
      'a2a-version': '99.0',
    });
    expect([reply.status, errorCode(reply)]).toEqual([200, -32009]);
  });
});

describe.each(ADAPTERS)('HTTP+JSON over the engine on %s', (adapter) => {
  let host: WireHost;
  beforeAll(async () => {
    host = await WireHost.start(adapter);
  });
  afterAll(() => host.stop());

  it('refuses with google.rpc.Status and ErrorInfo [ERR-30, ERR-31]', async () => {
    const reply = await ask(host.port, { path: '/tasks/nope' });
    expect(reply.status).toBe(404);
    expect(reply.json).toEqual({
      error: {
        code: 404,
        status: 'NOT_FOUND',
        message: 'Task not found',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'TASK_NOT_FOUND',
            domain: 'a2a-protocol.org',
            metadata: { taskId: 'nope' },
          },
        ],
      },
    });
  });

  it.each([
    'pageSize=0',
    'pageSize=101',
    'pageSize=-1',
    'pageSize=abc',
    'historyLength=-1',
    'status=NOPE',
    'statusTimestampAfter=yesterday',
  ])('refuses ?%s, naming it [LIST-02, LIST-08, HIST-03]', async (query) => {
    const reply = await ask(host.port, { path: `/tasks?${query}` });
    expect([reply.status, violatedFields(reply)]).toEqual([400, [query.split('=')[0]]]);
  });

  it('refuses a version it does not speak [VER-06]', async () => {
    const reply = await ask(host.port, { path: '/tasks', headers: { 'a2a-version': '0.3' } });
    expect([reply.status, reply.json]).toMatchObject([400, { error: { details: [{ reason: 'VERSION_NOT_SUPPORTED' }] } }]);
  });
});
