import { type JsonObject } from '@bufbuild/protobuf';
import { ask, open, post, type Reply } from '../http/support/http-client.js';
import { type Host, startHost } from '../support/host.js';

const CARD = '/.well-known/agent-card.json';
const ORIGIN = 'https://console.example.com';
const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] };

/** Everything that a caller or a cache in between might try to shape an answer with. */
const SHAPING: Record<string, string>[] = [
  { host: 'evil.example' },
  { host: 'evil.example:1', 'x-forwarded-host': 'evil.example' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '444' },
  { 'x-forwarded-prefix': '/evil', 'x-forwarded-path': '/evil', 'x-original-url': '/evil', 'x-rewrite-url': '/evil' },
  { forwarded: 'for=198.51.100.1;host=evil.example;proto=https' },
  { 'x-forwarded-for': '198.51.100.1', 'x-real-ip': '198.51.100.1' },
  { 'accept-language': 'de', accept: 'text/html', 'accept-encoding': 'gzip', origin: 'https://evil.example' },
];

describe.each(['express', 'fastify'])('Answers on %s', (adapter) => {
  let host: Host;
  let port: number;
  beforeAll(async () => {
    // A proxy that is trusted changes nothing about cards either.
    const env = { HTTP_ADAPTER: adapter, A2A_DEFAULT_AGENT: 'echo', A2A_TRUSTED_PROXIES: '127.0.0.1', A2A_CORS_ORIGINS: ORIGIN };
    host = await startHost({ env });
    port = Number(new URL(host.httpUrl).port);
  });
  afterAll(() => host.stop());

  const rpc = (method: string, params: object): Promise<Reply> => post(port, '/rpc', { jsonrpc: '2.0', id: 1, method, params });

  /** One request for each kind of answer there is. */
  const ANSWERS: [what: string, status: number, reply: () => Promise<Reply>][] = [
    ['a card', 200, () => ask(port, { path: CARD })],
    [
      'a card that is known',
      304,
      async () => ask(port, { path: CARD, headers: { 'if-none-match': (await ask(port, { path: CARD })).headers.etag ?? '' } }),
    ],
    ['the catalog', 200, () => ask(port, { path: '/agents' })],
    ['the page for people', 200, () => ask(port, { path: '/' })],
    ['health', 200, () => ask(port, { path: '/health/ready' })],
    ['a REST answer', 200, () => ask(port, { path: '/tasks' })],
    ['a REST error', 404, () => ask(port, { path: '/tasks/nobody' })],
    ['a JSON-RPC answer', 200, () => rpc('ListTasks', {})],
    ['a JSON-RPC error', 200, () => rpc('Nothing', {})],
    ['an event stream', 200, () => post(port, '/message:stream', { message: MESSAGE })],
    ['a path that leads nowhere', 404, () => ask(port, { path: '/agents/nobody/tasks' })],
    ['a path of nobody', 404, () => ask(port, { path: '/favicon.ico' })],
    ['a method that is not there', 405, () => ask(port, { method: 'PUT', path: '/tasks' })],
    ['a path that cannot be read', 400, () => ask(port, { path: '/tasks/%E0%A4%A' })],
    ['a preflight', 204, () => ask(port, { method: 'OPTIONS', path: '/rpc', headers: { origin: ORIGIN } })],
    ['a body that is no JSON', 415, () => post(port, '/rpc', 'x', { 'content-type': 'text/plain' })],
    ['a body that is too large', 413, () => post(port, '/message:send', 'x'.repeat(1_100_000))],
  ];

  it.each(ANSWERS)('have the security headers: %s', async (_what, status, reply) => {
    const { status: given, headers } = await reply();
    expect(given).toBe(status);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  it.each(ANSWERS)('are kept by no cache, public cards apart: %s [E22]', async (what, _status, reply) => {
    const control = (await reply()).headers['cache-control'];
    expect(control).toMatch(what.startsWith('a card') ? /^public, max-age=300$/ : /no-store/);
  });

  it('are the same bytes on a card, whatever a request says [E21]', async () => {
    const plain = await ask(port, { path: CARD });
    expect(plain.json.supportedInterfaces).toEqual(expect.arrayContaining([expect.objectContaining({ url: `http://127.0.0.1:${port}` })]));
    for (const headers of SHAPING) {
      const shaped = await ask(port, { path: CARD, headers });
      expect([shaped.status, shaped.headers.etag, shaped.body]).toEqual([200, plain.headers.etag, plain.body]);
    }
    const queried = await ask(port, { path: `${CARD}?host=evil.example&x=1` });
    expect(queried.body).toBe(plain.body);
  });

  it('are for pages of listed origins, cards for all pages', async () => {
    const from = (origin: string, path = '/tasks') => ask(port, { path, headers: { origin } });
    expect((await from(ORIGIN)).headers).toMatchObject({ 'access-control-allow-origin': ORIGIN, vary: 'Origin' });
    expect((await from('https://evil.example')).headers).not.toHaveProperty('access-control-allow-origin');
    expect((await from(`${ORIGIN}.evil.example`)).headers).not.toHaveProperty('access-control-allow-origin');
    expect((await from('https://evil.example', CARD)).headers['access-control-allow-origin']).toBe('*');
    for (const path of ['/tasks', CARD]) expect((await from(ORIGIN, path)).headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

describe('A host without configuration', () => {
  it('lets no page of another origin call, and answers to every name', async () => {
    const host = await startHost({ env: { A2A_DEFAULT_AGENT: 'echo' } });
    const port = Number(new URL(host.httpUrl).port);
    const reply = await ask(port, { path: '/tasks', headers: { origin: ORIGIN, host: 'anything.example' } });
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([200, undefined]);
    await host.stop();
  });

  it('behind a proxy that ends TLS tells browsers to stay with https', async () => {
    const host = await startHost({ env: { A2A_PUBLIC_URL: 'https://agents.example.com' } });
    const response = await open(Number(new URL(host.httpUrl).port), { path: CARD });
    response.resume();
    expect(response.headers['strict-transport-security']).toBe('max-age=31536000');
    await host.stop();
  });
});

describe.each(['express', 'fastify'])('A host with a list of names, on %s', (adapter) => {
  let host: Host;
  let port: number;
  beforeAll(async () => {
    host = await startHost({
      env: { HTTP_ADAPTER: adapter, A2A_DEFAULT_AGENT: 'echo', A2A_ALLOWED_HOSTS: 'agents.example.com, [::1], internal.example:8080' },
    });
    port = Number(new URL(host.httpUrl).port);
  });
  afterAll(() => host.stop());

  const at = (name: string, path = '/tasks') => ask(port, { path, headers: { host: name } });

  it.each(['agents.example.com', 'agents.example.com:443', 'AGENTS.example.com', '[::1]:3000', 'internal.example:8080'])(
    'answers to %s',
    async (name) => {
      expect((await at(name)).status).toBe(200);
    },
  );

  it.each([
    'evil.example',
    '127.0.0.1',
    'agents.example.com.evil.example',
    'internal.example',
    'internal.example:80',
    '',
    'agents.example.com@evil.example',
  ])('answers 421 to "%s", for operations, cards and pages alike [E21]', async (name) => {
    for (const path of ['/tasks', CARD, '/', '/agents']) {
      const { status, json, headers } = await at(name, path);
      expect([status, headers.connection, headers['cache-control']]).toEqual([421, 'close', 'no-store']);
      expect((json.error as JsonObject).details).toEqual([expect.objectContaining({ reason: 'MISDIRECTED_REQUEST' })]);
    }
  });

  it('lets orchestrators probe by address', async () => {
    expect((await at('10.1.2.3:3000', '/health/live')).status).toBe(200);
    expect((await at('10.1.2.3:3000', '/healthy')).status).toBe(421);
  });
});

describe('A host that other machines can reach', () => {
  async function warningsOf(env: Readonly<Record<string, string>>): Promise<string[]> {
    const host = await startHost({ env: { A2A_DEFAULT_AGENT: 'echo', ...env } });
    await host.stop();
    return host.logs.filter((line) => line.includes('INSECURE'));
  }

  it('in the clear says so loudly when it starts [SEC-01]', async () => {
    const [line, ...others] = await warningsOf({ HOST: '0.0.0.0' });
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      msg: expect.stringMatching(/^INSECURE: HOST is 0\.0\.0\.0.*A2A_TLS_CERT_FILE.*A2A_TRUSTED_PROXIES/),
    });
    expect(others).toEqual([]);
  });

  it('says nothing behind a trusted proxy, or when only this machine can reach it', async () => {
    expect(await warningsOf({ HOST: '0.0.0.0', A2A_TRUSTED_PROXIES: '10.0.0.0/8' })).toEqual([]);
    expect(await warningsOf({})).toEqual([]);
  });
});
