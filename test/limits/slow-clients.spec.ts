import { once } from 'node:events';
import * as http2 from 'node:http2';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { ConformanceHost } from '../conformance/conformance-host.js';
import { useDurableDatabase } from '../support/durable-database.js';
import { fastest } from '../support/fastest.js';
import { startHost } from '../support/host.js';
import { LimitedHost } from './support/limited-host.js';
import { growthOf } from './support/memory.js';

const MEBIBYTE = 1_048_576;
const HEAD = 'POST /rpc HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\nContent-Type: application/json\r\n';

/** Sends `pieces`, then nothing, and waits to be hung up on. */
async function dawdle(port: number, ...pieces: string[]): Promise<{ answer: string; seconds: number }> {
  const started = performance.now();
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  for (const piece of pieces) socket.write(piece);
  return { answer: await text(socket), seconds: (performance.now() - started) / 1_000 };
}

describe('A client that takes its time to ask', () => {
  it('is told 408 and hung up on: after 10 s of headers, 30 s of body, on both adapters [D7]', async () => {
    const hosts = await Promise.all(['express', 'fastify'].map((adapter) => startHost({ env: { HTTP_ADAPTER: adapter } })));
    const asked = hosts.flatMap(({ httpUrl }) => {
      const port = Number(new URL(httpUrl).port);
      return [dawdle(port, 'POST /rpc HTTP/1.1\r\nHost: x\r\n'), dawdle(port, HEAD, 'Content-Length: 1000\r\n\r\n', '{"jsonrpc":')];
    });
    const [headers, body, otherHeaders, otherBody] = await Promise.all(asked);
    for (const slow of [headers, otherHeaders]) {
      expect(slow?.answer).toMatch(/^HTTP\/1.1 408 /);
      expect(slow?.seconds).toBeGreaterThan(9);
      expect(slow?.seconds).toBeLessThan(29);
    }
    for (const slow of [body, otherBody]) {
      expect(slow?.answer).toMatch(/^HTTP\/1.1 408 [^]*"REQUEST_TIMEOUT"/);
      expect(slow?.seconds).toBeGreaterThan(29);
      expect(slow?.seconds).toBeLessThan(60);
    }
    await Promise.all(hosts.map((host) => host.stop()));
  });
});

describe('A client over gRPC that sends metadata and no request', () => {
  let host: LimitedHost;
  beforeAll(async () => {
    host = await LimitedHost.start('express', { grpc: { requestTimeoutMs: 200 } });
  });
  afterAll(() => host.stop());

  it('is told DEADLINE_EXCEEDED [D7]', async () => {
    const session = http2.connect(`http://${host.grpcAddress}`);
    const call = session.request({
      ':method': 'POST',
      ':path': '/lf.a2a.v1.A2AService/ListTasks',
      'content-type': 'application/grpc',
      te: 'trailers',
      'a2a-version': '1.0',
    });
    call.write(Buffer.from([0, 0, 0, 0, 100])); // A message of 100 bytes, it says.
    const [headers] = (await once(call, 'response')) as [http2.IncomingHttpHeaders];
    session.destroy();
    expect([headers['grpc-status'], decodeURIComponent(String(headers['grpc-message']))]).toEqual([
      '4',
      'The request took too long to arrive',
    ]);
  });
});

describe.each(['express', 'fastify'])('Readers of a stream that read nothing, on %s,', (adapter) => {
  const READERS = 30;
  /** A third of what queues for these readers would hold; the rest is what the drivers of databases leave to the collector. */
  const MOST_BYTES = READERS * 10 * MEBIBYTE;

  // In memory a task's events would be shared with its readers.
  const database = useDurableDatabase();
  let host: ConformanceHost;
  beforeAll(async () => {
    host = await ConformanceHost.start({ HTTP_ADAPTER: adapter, ...database().env });
  });
  afterAll(() => host.stop());

  it('are no queue in memory, and take nobody else time [D8]', async () => {
    const { task } = await host.rest.send({
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: '/burst n=300 bytes=100000' }] },
    });
    // From its first event on: thirty megabytes each.
    const watch = async (): Promise<number> => {
      const stream = await host.rest.subscribe({ id: task?.id ?? '' }, { headers: { 'last-event-id': '1' } });
      return (await stream.rest()).length;
    };
    const reads = async (): Promise<void> => expect(await watch()).toBeGreaterThan(300);
    const alone = await fastest(reads, 0, 3);

    const port = Number(new URL(host.httpUrl).port);
    const sockets: Socket[] = [];
    const growth = await growthOf(host.process.pid, async () => {
      for (let reader = 0; reader < READERS; reader++) sockets.push(await openUnread(port, `/tasks/${task?.id}:subscribe`));
      expect(await fastest(reads, 5 * alone, 5)).toBeLessThan(5 * alone);
    });
    expect(growth).toBeLessThan(MOST_BYTES);
    for (const socket of sockets) socket.destroy();
  });
});

/** Asks for the events behind the first one, sees that the answer has begun, and reads no more. */
async function openUnread(port: number, path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nA2A-Version: 1.0\r\nLast-Event-ID: 1\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}
