import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { create, toBinary } from '@bufbuild/protobuf';
import { SendMessageRequestSchema, userMessage } from '@a2a/a2a-core';
import { ConformanceHost, type Wire, WIRES } from '../conformance/conformance-host.js';
import { ask, exchangeRaw, post } from '../http/support/http-client.js';
import { type A2aClient, type WireError } from '../support/clients/a2a-client.js';
import { fastest } from '../support/fastest.js';
import { growthOf } from './support/memory.js';
import { refusalOf } from './support/refusals.js';

const MEBIBYTE = 1_048_576;
/** Paths of the two HTTP wires that take a message. */
const ENTRANCES = ['/rpc', '/message:send'] as const;

const message = (parts: string, more = ''): string =>
  `{"message":{"messageId":"${randomUUID()}","role":"ROLE_USER","parts":${parts}${more}},"configuration":{"returnImmediately":true}}`;

/** The same request as the body of either HTTP wire. */
const bodyAt = (path: (typeof ENTRANCES)[number], request: string): string =>
  path === '/rpc' ? `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${request}}` : request;

describe.each(['express', 'fastify'])('What a request may be, on %s:', (adapter) => {
  let host: ConformanceHost;
  let port: number;
  beforeAll(async () => {
    host = await ConformanceHost.start({ HTTP_ADAPTER: adapter });
    port = Number(new URL(host.httpUrl).port);
    for (const wire of WIRES) await host.client(wire).send(sayOf('/message')); // What is loaded late is loaded now.
  });
  afterAll(() => host.stop());

  const client = (wire: Wire): A2aClient => host.client(wire);
  const sayOf = (text: string, more: object = {}) => ({
    message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...more },
    configuration: { returnImmediately: true },
  });
  const total = async (): Promise<number> => (await host.grpc.listTasks({ pageSize: 1 })).totalSize;
  const grows = (work: () => Promise<unknown>): Promise<number> => growthOf(host.process.pid, work);

  describe.each(ENTRANCES)('at %s', (path) => {
    it('no body beyond a mebibyte, announced, in chunks or packed; none is kept in memory [D1]', async () => {
      const send = (headers: Record<string, string>, body: string | Buffer) => post(port, path, body, headers);
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const growth = await grows(async () => {
        const announced = await send({}, 'x'.repeat(MEBIBYTE + 1));
        expect([announced.status, announced.headers.connection]).toEqual([413, 'close']);
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => exchangeRaw(port, head, `10000\r\n${'x'.repeat(65_536)}\r\n`.repeat(200))),
        );
        for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 413 [^]*onnection: close/);
        const packed = await send({ 'content-encoding': 'gzip' }, gzipSync('x'.repeat(100 * MEBIBYTE)));
        expect([packed.status, packed.headers.connection]).toEqual([415, 'close']);
      });
      // Twenty times 13 MB were sent; a mebibyte of each, and what a collector has not come to yet.
      expect(growth).toBeLessThan(100 * MEBIBYTE);
    });

    it('no deep nesting, told at once [D2]', async () => {
      const deep = bodyAt(path, message(`[{"data":${'['.repeat(10_000)}${']'.repeat(10_000)}}]`));
      const refuse = async (): Promise<void> => {
        const reply = await post(port, path, deep);
        expect([reply.status, reply.body]).toEqual([path === '/rpc' ? 200 : 400, expect.stringContaining('nested deeper than 64 levels')]);
      };
      expect(await fastest(refuse, 500)).toBeLessThan(500);
    });

    it.each(['"__proto__":{"x":1}', '"\\u005f_proto__":{"x":1}', '"constructor":{"prototype":{"x":1}}'])(
      'no key that reaches a prototype: %s [D3]',
      async (key) => {
        for (const body of [message(`[{"data":{${key}}}]`), message('[{"text":"x"}]', `,"metadata":{${key}}`)]) {
          const reply = await post(port, path, bodyAt(path, body));
          expect([reply.status, reply.body]).toEqual([path === '/rpc' ? 200 : 400, expect.stringMatching(/-32602|INVALID_ARGUMENT/)]);
        }
      },
    );

    it('no flood of tiny parts or keys, refused before they are objects [D4, D16]', async () => {
      const parts = bodyAt(path, message(`[${'{},'.repeat(333_332)}{}]`));
      const keys = bodyAt(
        path,
        message('[{"text":"x"}]', `,"metadata":{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join(',')}}`),
      );
      const growth = await grows(async () => {
        for (const body of [parts, keys, parts, keys]) {
          const reply = await post(port, path, body);
          expect([reply.status, reply.body]).toEqual([path === '/rpc' ? 200 : 400, expect.stringContaining('more than 20000 values')]);
        }
      });
      expect(growth).toBeLessThan(60 * MEBIBYTE);
    });

    it('no headers beyond 16 KiB, as one or as many [D16]', async () => {
      for (const headers of [
        { 'x-padding': 'x'.repeat(17_000) },
        Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`x-${index}`, '1'])),
      ]) {
        const reply = await ask(port, { method: 'POST', path, headers });
        expect(reply.status).toBe(431);
      }
    });
  });

  describe.each(WIRES)('over %s', (wire) => {
    const refused = (call: Promise<unknown>): Promise<WireError> => refusalOf(wire, 'invalid', call);

    it('no text, metadata or number of parts beyond its limit; nothing is stored [D4]', async () => {
      const before = await total();
      const padding = { x: 'x'.repeat(65_536) };
      const wrong: [object, RegExp][] = [
        [{ parts: [{ text: 'x'.repeat(262_145) }] }, /parts\[0\]\.text$/],
        [{ parts: Array.from({ length: 257 }, () => ({ text: 'x' })) }, /parts$/],
        [{ metadata: padding }, /metadata$/],
        [{ parts: [{ text: 'x', metadata: padding }] }, /parts\[0\]\.metadata$/],
        [{ referenceTaskIds: Array.from({ length: 33 }, () => randomUUID()) }, /reference(TaskIds|_task_ids)$/],
        [{ messageId: 'x'.repeat(257) }, /message(Id|_id)$/],
      ];
      for (const [more, field] of wrong)
        expect((await refused(client(wire).send(sayOf('x', more)))).fields).toEqual([expect.stringMatching(field)]);
      expect((await refused(client(wire).send({ ...sayOf('x'), metadata: padding }))).fields).toEqual(['metadata']);
      expect(await total()).toBe(before);
    });

    it('no U+0000 [D6]', async () => {
      const fieldOf = async (text: string, more: object = {}) => (await refused(client(wire).send(sayOf(text, more)))).fields[0];
      expect(await fieldOf('a\u0000b')).toMatch(/text$/);
      expect(await fieldOf('x', { contextId: 'a\u0000b' })).toMatch(/context(Id|_id)$/);
      expect(await fieldOf('x', { metadata: { key: 'a\u0000b' } })).toMatch(/metadata/);
    });

    it('no page beyond a hundred, no negative history [D13]', async () => {
      for (const pageSize of [1_000_000_000, -1, 0, 101])
        expect((await refused(client(wire).listTasks({ pageSize }))).fields[0]).toMatch(/page(S|_s)ize/);
      expect((await refused(client(wire).getTask({ id: 'x', historyLength: -5 }))).fields[0]).toMatch(/history(L|_l)ength/);
      expect((await refused(client(wire).send({ ...sayOf('x'), configuration: { historyLength: -5 } }))).fields[0]).toMatch(
        /history(L|_l)ength/,
      );
    });
  });

  it('no number that is none [D13]', async () => {
    for (const query of ['pageSize=1e3', 'pageSize=1.5', 'pageSize=', 'pageSize=%201', 'historyLength=-5']) {
      expect((await ask(port, { path: `/tasks?${query}` })).status).toBe(400);
    }
  });
});

describe('What a request over gRPC may be:', () => {
  let host: ConformanceHost;
  beforeAll(async () => {
    host = await ConformanceHost.start();
    await host.grpc.listTasks();
  });
  afterAll(() => host.stop());

  /** Field `number` with `content` in it, as protobuf writes it. */
  const field = (number: number, content: Buffer): Buffer => {
    const length = [];
    let rest = content.length;
    for (; rest > 127; rest = Math.floor(rest / 128)) length.push((rest % 128) | 128);
    return Buffer.concat([Buffer.from([(number << 3) | 2, ...length, rest]), content]);
  };
  const PARTS = 5;
  const DATA = 4;
  const inMessage = (...fields: Buffer[]): Buffer => field(2, Buffer.concat(fields));

  it('no message beyond a mebibyte [D1]', async () => {
    const request = create(SendMessageRequestSchema, { message: userMessage('x'.repeat(2 * MEBIBYTE)) });
    const growth = await growthOf(host.process.pid, async () => {
      await Promise.all(
        Array.from({ length: 20 }, () =>
          refusalOf('GRPC', 'too large', host.grpc.callBytes('SendMessage', toBinary(SendMessageRequestSchema, request))),
        ),
      );
    });
    expect(growth).toBeLessThan(100 * MEBIBYTE);
  });

  it('no flood of tiny parts, counted before they are objects [D4]', async () => {
    const flood = inMessage(Buffer.concat(Array<Buffer>(500_000).fill(field(PARTS, Buffer.alloc(0)))));
    const refuse = () => refusalOf('GRPC', 'invalid', host.grpc.callBytes('SendMessage', flood));
    await refuse(); // Buffers of that size are there from now on.
    const growth = await growthOf(host.process.pid, async () => {
      for (let round = 0; round < 4; round++) await refuse();
    });
    expect(growth).toBeLessThan(40 * MEBIBYTE);
  });

  it('no deep nesting of values [D2, D5]', async () => {
    let value: Buffer = Buffer.alloc(0);
    for (let depth = 0; depth < 5_000; depth++) value = field(6, field(1, value));
    const error = await refusalOf('GRPC', 'invalid', host.grpc.callBytes('SendMessage', inMessage(field(PARTS, field(DATA, value)))));
    expect(error.message).toContain('nested more than 64 levels deep');
  });

  it('no metadata beyond 64 entries or 8 KiB [D16]', async () => {
    const many = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`x-${index}`, '1']));
    for (const headers of [many, { 'x-padding': 'x'.repeat(9_000) }])
      await refusalOf('GRPC', 'too large', host.grpc.call('ListTasks', {}, { headers }));
    const flood = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`x-${index}`, '1']));
    await expect(host.grpc.call('ListTasks', {}, { headers: flood })).rejects.toMatchObject({ code: 8 });
  });
});
