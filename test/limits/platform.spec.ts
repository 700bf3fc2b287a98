import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import * as http2 from 'node:http2';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ConformanceHost } from '../conformance/conformance-host.js';
import { ask } from '../http/support/http-client.js';
import { fastest } from '../support/fastest.js';
import { growthOf } from './support/memory.js';

const MEBIBYTE = 1_048_576;

/** Where a release closed a hole that the host relies on being closed (security.md D5, D17, D18, C17, E12). */
const FLOORS: readonly [name: string, least: string][] = [
  ['@grpc/grpc-js', '1.14.4'],
  ['protobufjs', '7.6.1'],
  ['undici', '7.18.2'],
  ['typeorm', '1.0.0'],
  ['jose', '6.0.0'],
  ['jws', '3.2.3'],
];

describe('Packages', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version?: string; dev?: boolean }>;
  };

  it.each(FLOORS)('have %s at %s or later, wherever it is installed [D18]', (name, least) => {
    const installed = Object.entries(packages).filter(([path, { dev }]) => path.endsWith(`node_modules/${name}`) && !dev);
    expect(installed.length).toBeGreaterThan(0);
    for (const [path, { version = '' }] of installed) expect([path, compare(version, least) >= 0]).toEqual([path, true]);
  });
});

describe('Patterns', () => {
  const sources = ['libs', 'apps'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.includes('/src/') && file.endsWith('.ts') && !/\.spec\.ts$|\/gen\//.test(file))
      .map((file) => join(folder, file)),
  );

  it('are never made of what a caller says: each is made once, while its file is loaded or the host starts [D15]', () => {
    expect(sources.length).toBeGreaterThan(200);
    const made = sources.filter((file) =>
      /^\s{3,}.*new RegExp\(/m.test(readFileSync(file, 'utf8').replace(/^(const|export const)[^;]*;/gms, '')),
    );
    // Both make their patterns of routes and words of their own.
    expect(made).toEqual(['libs/a2a-bindings/src/http/http-endpoints.ts']);
  });

  it('take no longer for input that is made to make them [D15]', async () => {
    const host = await ConformanceHost.start();
    const port = Number(new URL(host.httpUrl).port);
    await ask(port, { path: '/tasks' });
    for (const nasty of [
      '1'.repeat(15_000),
      '1.'.repeat(7_500),
      ','.repeat(15_000),
      ' ,'.repeat(7_500),
      'a/'.repeat(7_500),
      '%'.repeat(15_000),
    ]) {
      for (const name of [
        'a2a-version',
        'a2a-extensions',
        'authorization',
        'cookie',
        'accept',
        'if-none-match',
        'last-event-id',
        'x-forwarded-for',
        'origin',
      ]) {
        const ms = await fastest(() => ask(port, { path: '/tasks', headers: { [name]: nasty } }), 500);
        expect([name, ms < 500]).toEqual([name, true]);
      }
    }
    await host.stop();
  });
});

describe('The gRPC port', () => {
  let host: ConformanceHost;
  beforeAll(async () => {
    host = await ConformanceHost.start();
  });
  afterAll(() => host.stop());

  const HEADERS = {
    ':method': 'POST',
    ':path': '/lf.a2a.v1.A2AService/ListTasks',
    'content-type': 'application/grpc',
    te: 'trailers',
    'a2a-version': '1.0',
  };

  it('takes a hundred calls at once on a connection [D17]', async () => {
    const session = http2.connect(`http://${host.process.grpcUrl}`);
    const [settings] = (await once(session, 'remoteSettings')) as [http2.Settings];
    expect(settings.maxConcurrentStreams).toBe(100);
    session.destroy();
  });

  it('outlives a flood of calls that are reset at once, and keeps nothing of them [D17]', async () => {
    const flood = async (): Promise<void> => {
      const session = http2.connect(`http://${host.process.grpcUrl}`);
      session.on('error', () => undefined);
      await once(session, 'remoteSettings');
      for (let round = 0; round < 100 && !session.destroyed; round++) {
        const calls = Array.from({ length: 100 }, () => session.request(HEADERS));
        await Promise.all(
          calls.map((call) => {
            call.on('error', () => undefined);
            const closed = once(call, 'close').catch(() => undefined);
            call.close(http2.constants.NGHTTP2_CANCEL);
            return closed;
          }),
        );
      }
      session.destroy();
    };
    const growth = await growthOf(host.process.pid, async () => {
      await flood();
      await flood();
    });
    expect(growth).toBeLessThan(100 * MEBIBYTE);
    expect((await host.grpc.listTasks()).tasks).toEqual([]);
  });

  it.each([
    ['is no HTTP/2', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['is noise behind the preface', Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), Buffer.alloc(4_096, 0xff)])],
    [
      'is a frame of sixteen megabytes',
      Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), Buffer.from([0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1])]),
    ],
  ])('hangs up on what %s, and serves everybody else [D18]', async (_what, bytes) => {
    const [name = '', port = ''] = host.process.grpcUrl.split(':');
    const socket = connect(Number(port), name);
    socket.on('error', () => undefined);
    socket.write(bytes);
    socket.resume();
    await once(socket, 'close');
    expect((await host.grpc.listTasks()).tasks).toEqual([]);
  });

  it('refuses a compressed message that is none, and one that unfolds beyond the limit [D18]', async () => {
    for (const content of [Buffer.from('no gzip at all'), gzipSync(Buffer.alloc(64 * MEBIBYTE))]) {
      const session = http2.connect(`http://${host.process.grpcUrl}`);
      const call = session.request({ ...HEADERS, 'grpc-encoding': 'gzip' });
      const prefix = Buffer.alloc(5);
      prefix.writeUInt8(1, 0);
      prefix.writeUInt32BE(content.length, 1);
      const answered = once(call, 'response') as Promise<[http2.IncomingHttpHeaders]>;
      call.end(Buffer.concat([prefix, content]));
      const [headers] = await answered;
      expect(['3', '8', '13']).toContain(headers['grpc-status']);
      session.destroy();
    }
    expect((await host.grpc.listTasks()).tasks).toEqual([]);
  });
});

/** As semver orders releases. */
function compare(version: string, other: string): number {
  const [left, right] = [version, other].map((text) => (text.split('-')[0] ?? '').split('.').map(Number)) as [number[], number[]];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}
