import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type OutboundError } from '@a2a/a2a-core';
import { GuardedHttp } from './guarded-http.js';

const BOUNDS = { maxBytes: 65_536, timeoutMs: 60_000 };

/** 127.0.0.2 plays the public internet, 127.0.0.1 the host's own network. */
const PUBLIC = { allowHttp: true, ports: '*', openNetworks: ['127.0.0.2/32'] } as const;

async function listen(
  host: string,
  onRequest: RequestListener,
): Promise<{ server: Server; url: (name?: string) => string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    onRequest(request, response);
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, seen, url: (name = host) => `http://${name}:${port}/` };
}

describe('the door out', () => {
  const servers: Server[] = [];
  const doors: GuardedHttp[] = [];
  afterEach(async () => {
    await Promise.all(doors.splice(0).map((door) => door.close()));
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });

  const serve = async (host: string, onRequest: RequestListener) => {
    const served = await listen(host, onRequest);
    servers.push(served.server);
    return served;
  };
  const door = (...answers: string[][]) => {
    let calls = 0;
    const resolve = async () => (answers[Math.min(calls++, answers.length - 1)] ?? []).map((address) => ({ address, family: 4 }));
    const opened = new GuardedHttp({ targets: PUBLIC, resolve });
    doors.push(opened);
    return opened;
  };
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: OutboundError) => error.failure,
    );

  it('reaches an allowed address by name', async () => {
    const { url, seen } = await serve('127.0.0.2', (_request, response) => response.end('hello'));
    const response = await door(['127.0.0.2']).post(url('hooks.example.com'), '{}', {
      ...BOUNDS,
      headers: { 'x-a2a-notification-token': 't' },
    });
    expect(response.status).toBe(200);
    expect(Buffer.from(response.body).toString()).toBe('hello');
    expect(seen[0]?.headers).toMatchObject({ 'x-a2a-notification-token': 't', 'accept-encoding': 'identity' });
  });

  it.each([
    ['C5 a name with a private address', ['127.0.0.1']],
    ['C5 a name with one public and one private address', ['127.0.0.2', '127.0.0.1']],
    ['C5 a name with a mapped address', ['::ffff:127.0.0.1']],
    ['C5 a name without an address', []],
  ])('does not connect to %s', async (_why, addresses) => {
    const { url, seen } = await serve('127.0.0.1', (_request, response) => response.end());
    expect(await failure(door(addresses).get(url('hooks.example.com'), BOUNDS))).toBe('blocked');
    expect(seen).toEqual([]);
  });

  it.each<[string, string[], string | undefined]>([
    ['C5 a name with a private address', ['127.0.0.1'], 'target address not allowed'],
    ['C5 a name with one public and one private address', ['127.0.0.2', '10.0.0.1'], 'target address not allowed'],
    ['a name with public addresses', ['127.0.0.2'], undefined],
    ['a name without an address, which may get one', [], undefined],
  ])('judges %s before anything is sent [PCRE-07]', async (_why, addresses, refusal) => {
    const { url, seen } = await serve('127.0.0.1', (_request, response) => response.end());
    expect(await door(addresses).resolvedRefusal(url('hooks.example.com'))).toBe(refusal);
    expect(await door(addresses).resolvedRefusal('ftp://hooks.example.com/')).toMatch(/only https/);
    expect(await door(addresses).resolvedRefusal('http://127.0.0.2/')).toBeUndefined();
    expect(seen).toEqual([]);
  });

  it('waits a second at most for the name of a target that is not called yet', async () => {
    const silent = new GuardedHttp({ resolve: () => new Promise<never>(() => undefined) });
    doors.push(silent);
    expect(await silent.resolvedRefusal('https://hooks.example.com/')).toBeUndefined();
    const broken = new GuardedHttp({ resolve: () => Promise.reject(new Error('no name server')) });
    doors.push(broken);
    expect(await broken.resolvedRefusal('https://hooks.example.com/')).toBeUndefined();
  });

  it('C6 judges the address of every connection, so rebinding leads nowhere', async () => {
    const outside = await serve('127.0.0.2', (_request, response) => response.setHeader('connection', 'close').end());
    const port = new URL(outside.url()).port;
    const inside = createServer(() => undefined).listen(Number(port), '127.0.0.1');
    servers.push(inside);
    await once(inside, 'listening');
    const rebound = door(['127.0.0.2'], ['127.0.0.1']);
    expect((await rebound.get(outside.url('hooks.example.com'), BOUNDS)).status).toBe(200);
    expect(await failure(rebound.get(outside.url('hooks.example.com'), BOUNDS))).toBe('blocked');
  });

  it.each([301, 302, 303, 307, 308])('C7 does not follow %d', async (status) => {
    const inside = await serve('127.0.0.1', (_request, response) => response.end('secret'));
    const { url } = await serve('127.0.0.2', (_request, response) => response.writeHead(status, { location: inside.url() }).end());
    expect((await door(['127.0.0.2']).post(url('hooks.example.com'), '{}', BOUNDS)).status).toBe(status);
    expect(inside.seen).toEqual([]);
  });

  it('C12 ignores proxies of the environment', async () => {
    const proxy = await serve('127.0.0.1', (_request, response) => response.end('proxied'));
    const { url } = await serve('127.0.0.2', (_request, response) => response.end('direct'));
    process.env['HTTP_PROXY'] = process.env['http_proxy'] = proxy.url();
    try {
      const { body } = await door(['127.0.0.2']).get(url('hooks.example.com'), BOUNDS);
      expect(Buffer.from(body).toString()).toBe('direct');
    } finally {
      delete process.env['HTTP_PROXY'];
      delete process.env['http_proxy'];
    }
  });

  it('C13 refuses line breaks in header values', async () => {
    const { url, seen } = await serve('127.0.0.2', (_request, response) => response.end());
    expect(await failure(door(['127.0.0.2']).get(url('hooks.example.com'), { ...BOUNDS, headers: { a: 'b\r\nc: d' } }))).toBe('network');
    expect(seen).toEqual([]);
  });

  it('C17 gives up on an answer that does not come, drips, or is too long', async () => {
    const { url } = await serve('127.0.0.2', (request, response) => {
      if (request.url === '/hang') return;
      if (request.url === '/drip') return void setInterval(() => response.write('x'), 20).unref();
      response.end('x'.repeat(1_000_000));
    });
    const outside = door(['127.0.0.2']);
    const at = (path: string) => url('hooks.example.com').replace(/\/$/, path);
    expect(await failure(outside.get(at('/hang'), { ...BOUNDS, timeoutMs: 100 }))).toBe('timeout');
    expect(await failure(outside.get(at('/drip'), { ...BOUNDS, timeoutMs: 150 }))).toBe('timeout');
    expect(await failure(outside.get(at('/big'), { ...BOUNDS, maxBytes: 1_000 }))).toBe('too-large');
    expect((await outside.get(at('/big'), { ...BOUNDS, maxBytes: 1_000, drop: true })).status).toBe(200);
  });

  it('refuses a literal address outside the policy before a socket is opened', async () => {
    const { url, seen } = await serve('127.0.0.1', (_request, response) => response.end());
    expect(await failure(door([]).get(url(), BOUNDS))).toBe('blocked');
    expect(seen).toEqual([]);
  });
});
