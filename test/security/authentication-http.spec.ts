import { Agent } from 'node:http';
import { type JsonRpcClient } from '../support/clients/json-rpc.js';
import { reasonOf, say } from '../conformance/requests.js';
import { ask } from './ask.js';
import { API_KEYS, AUDIENCE, useProtectedHost } from './protected-host.js';

const host = useProtectedHost();

describe('Callers over HTTP', () => {
  const rest = (path: string, headers: Record<string, string | string[]>, agent?: Agent) =>
    ask(host().httpUrl, 'GET', path, headers, undefined, agent);

  it('who give a credential twice are refused before any is looked at [A16]', async () => {
    const bearer = (await host().bearer())['authorization'] ?? '';
    const conformance = '/agents/conformance/tasks';
    expect((await rest(conformance, { authorization: [bearer, 'Bearer other'] })).status).toBe(400);
    expect((await rest(conformance, { 'x-api-key': [API_KEYS.robot, 'other'] })).status).toBe(400);
    const expenses = '/agents/expense-approval/tasks';
    expect((await rest(`${expenses}?api_key=${API_KEYS.robot}&api_key=other`, {})).status).toBe(400);
    expect((await rest(expenses, { cookie: `session=${API_KEYS.robot}; session=other` })).status).toBe(400);
    expect((await rest(`${expenses}?api_key=${API_KEYS.robot}`, {})).status).toBe(200);
  });

  it('bring a token in its header and nowhere else, and no address is logged [A18]', async () => {
    const token = await host().issuer.token({ aud: AUDIENCE.conformance });
    const conformance = '/agents/conformance';
    expect((await rest(`${conformance}/tasks?access_token=${token}`, {})).status).toBe(401);
    expect(
      (await ask(host().httpUrl, 'POST', `${conformance}/rpc?access_token=${token}`, { 'content-type': 'application/json' }, '{}')).status,
    ).toBe(401);
    const overGrpc = (await host().client('conformance', 'GRPC')).listTasks({}, { headers: { access_token: token } });
    expect(await reasonOf(overGrpc)).toBe('UNAUTHENTICATED');
    expect(host().process.logs.join('\n')).not.toContain(token.slice(-40));
  });

  it('send a token that is longer than all headers may be for nothing [A17]', async () => {
    expect((await rest('/agents/conformance/tasks', { authorization: `Bearer ${'x'.repeat(20_000)}` })).status).toBe(431);
  });

  it('with a cookie may be pages of this host, and never send forms [A25]', async () => {
    const cookie = `session=${API_KEYS.robot}`;
    const path = '/agents/expense-approval/tasks';
    const statusOf = async (headers: Record<string, string>) => (await rest(path, { cookie, ...headers })).status;
    expect(await statusOf({ 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await statusOf({ origin: host().httpUrl })).toBe(200);
    expect(await statusOf({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await statusOf({ 'sec-fetch-site': 'same-site' })).toBe(403);
    expect(await statusOf({ origin: 'null' })).toBe(403);
    const form = await ask(host().httpUrl, 'POST', '/agents/expense-approval/rpc', { cookie, 'content-type': 'text/plain' }, '{}');
    expect(form.status).toBe(415);
  });

  it('without credentials are told apart by their connection [A26]', async () => {
    const [one, other] = [new Agent({ keepAlive: true, maxSockets: 1 }), new Agent({ keepAlive: true, maxSockets: 1 })];
    const body = JSON.stringify(say('10:00 ERROR payments: refused'));
    const sent = await ask(
      host().httpUrl,
      'POST',
      '/agents/incident-analyst/message:send',
      { 'content-type': 'application/json' },
      body,
      one,
    );
    const { task } = JSON.parse(sent.body) as { task: { id: string } };
    const statusBy = async (agent: Agent) => (await rest(`/agents/incident-analyst/tasks/${task.id}`, {}, agent)).status;
    expect([await statusBy(one), await statusBy(other), await statusBy(one)]).toEqual([200, 404, 200]);
    one.destroy();
    other.destroy();
  });

  it.each(['X-Forwarded-For', 'Forwarded', 'Via'])(
    'without credentials are each somebody new behind a proxy, whose connections carry the calls of many: %s [A26]',
    async (mark) => {
      const connection = new Agent({ keepAlive: true, maxSockets: 1 });
      const marked = { 'content-type': 'application/json', [mark]: '203.0.113.7' };
      const body = JSON.stringify(say('10:00 ERROR payments: refused'));
      const sent = await ask(host().httpUrl, 'POST', '/agents/incident-analyst/message:send', marked, body, connection);
      const { task } = JSON.parse(sent.body) as { task: { id: string } };
      expect((await rest(`/agents/incident-analyst/tasks/${task.id}`, marked, connection)).status).toBe(404);
      expect(JSON.parse((await rest('/agents/incident-analyst/tasks', marked, connection)).body)).toMatchObject({ totalSize: 0 });
      connection.destroy();
    },
  );

  it('are refused before their body is read, and with it for any method [A1]', async () => {
    const rpc = (await host().client('conformance', 'JSONRPC')) as JsonRpcClient;
    const bodies = ['{', '[]', '{"jsonrpc":"2.0","id":7,"method":"Nope"}', '{"jsonrpc":"2.0","id":"x","method":"GetTask"}'];
    const answers = await Promise.all(bodies.map(async (body) => (await rpc.post(body)).text));
    expect(new Set(answers).size).toBe(1);
    expect(JSON.parse(answers[0] ?? '')).toMatchObject({ id: null, error: { code: -31401 } });
  });
});
