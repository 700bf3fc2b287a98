import { randomUUID } from 'node:crypto';
import { connect } from 'node:http2';
import { once } from 'node:events';
import { type JsonObject } from '@bufbuild/protobuf';
import { type A2aClient } from '../support/clients/a2a-client.js';
import { JsonRpcClient } from '../support/clients/json-rpc.js';
import { useDurableDatabase } from '../support/durable-database.js';
import { HTTP_WIRES, type Wire, WIRES } from '../conformance/conformance-host.js';
import { errorOf, reasonOf, say, taskOf } from '../conformance/requests.js';
import { ALL_OPERATIONS, API_KEYS, AUDIENCE, type Headers, PASSWORD, useProtectedHost } from './protected-host.js';
import { rawAnswer } from './raw-answer.js';

const database = useDurableDatabase();
const host = useProtectedHost(() => ({ HTTP_ADAPTER: 'fastify', LOG_LEVEL: 'trace', ...database().env }));

const SQL = ["'OR'1'='1", "';DROP/**/TABLE/**/tasks;--", '")UNION/**/SELECT/**/1--', '%', '_', '\\'];

describe.each(WIRES)('Requests over %s', (wire: Wire) => {
  let client: A2aClient;
  let headers: Headers;
  beforeAll(async () => {
    client = await host().client('conformance', wire);
    headers = await host().bearer({ sub: `caller-${wire}` });
  });

  it.each(['1.0, 0.3', '../1.0', '9'.repeat(2_000), '0.3', '__proto__'])(
    'in a version that is none are refused before anything else, and it is not repeated: %.20s [E7]',
    async (version) => {
      const answer = await rawAnswer(client, 'GetTask', { id: randomUUID() }, { ...headers, 'a2a-version': version });
      expect(answer).toContain('VERSION_NOT_SUPPORTED');
      expect(answer).not.toContain('9'.repeat(20));
    },
  );

  it('ask for extensions in words that come back only when the agent declares them [E8]', async () => {
    const ask = (uris: readonly string[]) =>
      rawAnswer(client, 'ListTasks', { pageSize: 1 }, { ...headers, 'a2a-extensions': uris.join(',') });
    expect(await ask(['urn:injected:value'])).not.toContain('injected');
    expect(await ask(Array.from({ length: 33 }, (_, index) => `urn:${index}`))).toContain('INVALID_PARAMS');
    expect(await ask([`urn:${'x'.repeat(2_100)}`])).toContain('INVALID_PARAMS');
  });

  it.each(SQL)('mean nothing to a database: %s [E12]', async (text) => {
    expect(await reasonOf(client.getTask({ id: text }, { headers }))).toBe('TASK_NOT_FOUND');
    expect((await client.listTasks({ contextId: text }, { headers })).totalSize).toBe(0);
    expect(await reasonOf(client.listTasks({ pageToken: text }, { headers }))).toBe('INVALID_PARAMS');
    const { task } = await client.send(say('/task', { contextId: text }), { headers });
    expect((await client.listTasks({ contextId: text }, { headers })).tasks.map(({ id }) => id)).toEqual([task?.id]);
  });

  it('that fail inside tell nothing of it [E15]', async () => {
    const { task } = await client.send(say('/throw when=before'), { headers });
    expect(task?.status.state).toBe('TASK_STATE_FAILED');
    expect(JSON.stringify(task)).not.toMatch(/secret-canary|\.ts:|node_modules|Error:/);
  });

  it('bring pages and scripts that stay data [E26]', async () => {
    const parts: JsonObject[] = [
      { text: '<script>alert(1)</script>', mediaType: 'text/plain' },
      { raw: 'PHNjcmlwdD4=', mediaType: 'application/octet-stream' },
    ];
    const answer = await rawAnswer(client, 'SendMessage', say('/task', { parts }), headers);
    expect(answer).not.toContain('text/html');
    const isHttp = wire !== 'GRPC';
    expect(answer.includes('nosniff') && answer.includes("default-src 'none'")).toBe(isHttp);
  });

  it('cannot walk out of their agent by a tenant [E10]', async () => {
    for (const tenant of ['../billing', '..', 'a\u0000b', '%2e%2e', 'tasks', 'billing/../conformance']) {
      const named = wire === 'GRPC' ? `conformance/${tenant}` : tenant;
      const { reason } = await errorOf(client.getTask({ id: 'x', tenant: named }, { headers }));
      expect(['TASK_NOT_FOUND', 'INVALID_PARAMS']).toContain(reason);
    }
  });
});

describe('Requests over JSON-RPC', () => {
  let rpc: JsonRpcClient;
  let headers: Headers;
  beforeAll(async () => {
    rpc = (await host().client('conformance', 'JSONRPC')) as JsonRpcClient;
    headers = await host().bearer();
  });
  const post = async (body: string): Promise<JsonObject> => JSON.parse((await rpc.post(body, headers)).text) as JsonObject;

  it('with one id in flight twice get each its own answer [E5]', async () => {
    const send = (text: string) =>
      post(JSON.stringify({ jsonrpc: '2.0', id: 'same', method: 'SendMessage', params: say(`/echo ${text}`) }));
    const answers = await Promise.all(['one', 'two', 'three'].map(send));
    expect(answers.map(({ id }) => id)).toEqual(['same', 'same', 'same']);
    expect(answers.map((answer) => JSON.stringify(answer).match(/"text":"(\w+)"/)?.[1])).toEqual(['one', 'two', 'three']);
  });

  it.each([
    ['a batch [E1]', '[{"jsonrpc":"2.0","id":1,"method":"ListTasks"}]', -32600],
    ['a notification [E2]', '{"jsonrpc":"2.0","method":"ListTasks"}', -32600],
    ['an object as id [E3]', '{"jsonrpc":"2.0","id":{},"method":"ListTasks"}', -32600],
    ['a member twice [E4]', '{"jsonrpc":"2.0","id":1,"method":"ListTasks","method":"CancelTask"}', -32600],
    ['another version of JSON-RPC [E6]', '{"jsonrpc":"1.0","id":1,"method":"ListTasks"}', -32600],
    ['a method off the prototype [E9]', '{"jsonrpc":"2.0","id":1,"method":"constructor"}', -32601],
    ['a key that reaches a prototype [D3]', '{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{"__proto__":{}}}', -32602],
    [
      'ten thousand levels [D2]',
      `{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_001)}`,
      -32602,
    ],
  ])('are refused as %s', async (_, body, code) => {
    expect(await post(body)).toMatchObject({ error: { code } });
  });
});

describe('Addresses', () => {
  it.each(HTTP_WIRES)('refuse header and parameter that disagree on the version, over %s [E7]', async (wire) => {
    const path = wire === 'JSONRPC' ? 'rpc' : 'tasks';
    const answer = await fetch(`${host().httpUrl}/agents/conformance/${path}?A2A-Version=0.3`, {
      method: wire === 'JSONRPC' ? 'POST' : 'GET',
      headers: { ...(await host().bearer()), 'a2a-version': '1.0', 'content-type': 'application/json' },
      body: wire === 'JSONRPC' ? '{"jsonrpc":"2.0","id":1,"method":"ListTasks"}' : undefined,
    });
    expect(await answer.text()).toContain('INVALID_PARAMS');
  });

  it('of one tenant or task in the path are no other in the body [B10]', async () => {
    const headers = { ...(await host().bearer({ tenants: ['acme', 'globex'] })), 'a2a-version': '1.0', 'content-type': 'application/json' };
    const statusOf = async (path: string, body: object) =>
      (await fetch(`${host().httpUrl}/agents/conformance${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    expect(await statusOf('/acme/message:send', { ...say('/task'), tenant: 'globex' })).toBe(400);
    expect(await statusOf('/tasks/one:cancel', { id: 'other' })).toBe(400);
    expect(await statusOf('/acme/message:send', say('/task'))).toBe(200);
  });

  it('of agents say the same whatever Host and forwarding headers say [E21]', async () => {
    const forwarded: Record<string, string>[] = [
      {},
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/evil' },
    ];
    const cards = await Promise.all(
      forwarded.map(async (headers) => {
        const answer = await fetch(`${host().httpUrl}/agents/conformance/.well-known/agent-card.json`, { headers });
        return [answer.headers.get('etag'), await answer.text()];
      }),
    );
    expect(cards[0]).toEqual(cards[1]);
  });

  it('of gRPC take a hundred streams of one connection [D17]', async () => {
    const session = connect(`http://${host().process.grpcUrl}`);
    const [settings] = (await once(session, 'remoteSettings')) as [{ maxConcurrentStreams?: number }];
    expect(settings.maxConcurrentStreams).toBe(100);
    session.close();
  });
});

describe('Secrets', () => {
  it('are in no log line, no error, no answer and no database [E17]', async () => {
    const { provider } = host().issuer;
    const opaque = `opaque-${randomUUID()}`;
    provider.opaqueTokens.set(opaque, { active: true, sub: 'dora', aud: AUDIENCE.billing, scope: ALL_OPERATIONS });
    const { authorization = '' } = await host().bearer();
    const session = `session-${randomUUID()}`;
    const password = Buffer.from(`ada:${PASSWORD}`).toString('base64');
    const answers: string[] = [];
    const uses: readonly (readonly [agent: string, headers: Headers])[] = [
      ['conformance', { authorization }],
      ['conformance', { 'x-api-key': API_KEYS.robot }],
      ['conformance', { 'x-api-key': 'wrong-key-canary-1' }],
      ['conformance', { authorization: 'Bearer wrong.token.canary-2' }],
      ['billing', { authorization: `Bearer ${opaque}` }],
      ['expense-approval', { authorization: `Basic ${password}` }],
      ['expense-approval', { authorization: `Basic ${Buffer.from('eve:canary-3').toString('base64')}` }],
      ['expense-approval', { cookie: 'session=canary-4' }],
      ['incident-analyst', { 'a2a-anonymous-session': session }],
    ];
    for (const wire of WIRES) {
      for (const [agent, headers] of uses) {
        const client = await host().client(agent, wire);
        answers.push(await rawAnswer(client, 'SendMessage', say('balance'), headers));
        answers.push(await rawAnswer(client, 'GetTask', { id: randomUUID() }, headers));
      }
    }
    taskOf(await (await host().client('conformance', 'JSONRPC')).send(say('/whoami'), { headers: { authorization } }));
    const secrets = [
      authorization.slice('Bearer '.length),
      authorization.slice(-43),
      opaque,
      session,
      PASSWORD,
      password,
      API_KEYS.robot,
      's3cret',
      'wrong-key-canary-1',
      'canary-2',
      'canary-3',
      Buffer.from('eve:canary-3').toString('base64'),
      'canary-4',
    ];
    const stored = await database().contents();
    expect(stored.length).toBeGreaterThan(10_000);
    const sinks = { logs: host().process.logs.join('\n'), answers: answers.join('\n'), database: stored };
    for (const [sink, text] of Object.entries(sinks)) {
      expect([sink, secrets.filter((secret) => text.includes(secret))]).toEqual([sink, []]);
    }
  });
});
