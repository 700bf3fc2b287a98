import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { CallingHost, INSIDE, OUTSIDE } from './calling-host.js';

/** Everything that calls out. */
const CALLERS = ['deliver', 'fetchFile', 'discover', 'fetchKeys', 'introspect'] as const;

describe.each(CALLERS)('what a host calls out for: %s', (caller) => {
  const servers: Server[] = [];
  let host: CallingHost | undefined;
  afterEach(async () => {
    await host?.stop();
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  /** A listener that counts connections, TLS or not, and requests. */
  const listen = async (address: string, port: number, answer: RequestListener) => {
    const seen = { connections: 0, requests: [] as IncomingMessage[] };
    const server = createServer((request, response) => {
      seen.requests.push(request);
      answer(request, response);
    });
    server.on('connection', () => seen.connections++);
    server.listen(port, address);
    servers.push(server);
    await once(server, 'listening');
    return { seen, port: (server.address() as AddressInfo).port };
  };
  /** The same port inside and outside, so that only the address tells them apart. */
  const start = async (protocol: string, name: string, resolve: (name: string) => readonly string[], answer: RequestListener) => {
    const inside = await listen(INSIDE, 0, (_request, response) => response.end('{}'));
    const outside = await listen(OUTSIDE, inside.port, answer);
    host = await CallingHost.start(`${protocol}://${name}:${inside.port}`, resolve);
    return { host, inside: inside.seen, outside: outside.seen, port: inside.port };
  };
  const ok: RequestListener = (_request, response) => response.end('{}');

  it('reaches the public internet', async () => {
    const started = await start('https', 'public.example', () => [OUTSIDE], ok);
    await started.host[caller]();
    expect(started.outside.connections).toBeGreaterThan(0);
    expect(started.inside.connections).toBe(0);
  });

  it.each([
    ['C5 a name with a private address', [INSIDE]],
    ['C5 a name with one public and one private address', [OUTSIDE, INSIDE]],
    ['C3 a name with a mapped address', [`::ffff:${INSIDE}`]],
    ['C3 a name with an IPv6 loopback', ['::1']],
    ['C4 a name of the metadata service', ['169.254.169.254']],
  ])('goes nowhere for %s [SECC-21]', async (_what, addresses) => {
    const { host: calling, inside, outside } = await start('https', 'trap.example', () => addresses, ok);
    expect(await calling[caller]()).not.toBe('');
    expect([inside.connections, outside.connections]).toEqual([0, 0]);
  });

  it('goes nowhere when a name is rebound after it was judged [C6]', async () => {
    const asked: string[] = [];
    const rebound = (name: string) => (asked.push(name) === 1 ? [OUTSIDE] : [INSIDE]);
    const { host: calling, inside } = await start('https', 'rebound.example', rebound, ok);
    // A provider that did not answer is left alone for a second.
    while (asked.length < 2) await calling[caller]();
    expect(inside.connections).toBe(0);
  });

  it.each([301, 302, 303, 307, 308])('follows no %d [C7]', async (status) => {
    const {
      host: calling,
      inside,
      outside,
      port,
    } = await start(
      'http',
      'localhost',
      () => [OUTSIDE],
      (_request, response) => response.writeHead(status, { location: `http://${INSIDE}:${port}/` }).end(),
    );
    expect(await calling[caller]()).not.toBe('');
    expect(outside.requests.length).toBeGreaterThan(0);
    expect(inside.connections).toBe(0);
  });

  it('is not led inside by what it is told outside [SECC-23]', async () => {
    const {
      host: calling,
      inside,
      outside,
    } = await start(
      'http',
      'localhost',
      () => [OUTSIDE],
      ({ headers: { host: name = '' } }, response) => {
        const port = name.split(':')[1];
        const within = `http://${INSIDE}:${port}`;
        response.end(JSON.stringify({ issuer: `http://${name}/d`, jwks_uri: `${within}/keys`, introspection_endpoint: `${within}/ask` }));
      },
    );
    await calling[caller]();
    expect(outside.requests.length).toBeGreaterThan(0);
    expect(inside.connections).toBe(0);
  });
});
