import { once } from 'node:events';
import * as http2 from 'node:http2';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import {
  A2aError,
  type CallSeed,
  CallAuthenticator,
  type IdentifiedCall,
  type Principal,
  SendMessageRequestSchema,
  TaskSchema,
  userMessage,
} from '@a2a/a2a-core';
import { type GrpcHost, startGrpcHost } from './support/grpc.host.js';
import { RawGrpcClient, readAll } from './support/grpc.client.js';

/** Lets in whoever says `authorization: Bearer good`. */
class BearerAuthenticator extends CallAuthenticator {
  readonly seeds: CallSeed[] = [];

  async identify(seed: CallSeed): Promise<IdentifiedCall> {
    this.seeds.push(seed);
    if (seed.headers.get('authorization') !== 'Bearer good') {
      throw new A2aError('UNAUTHENTICATED', 'Authentication required', { challenges: ['Bearer realm="a2a"'] });
    }
    return { ...seed, principal: { owner: 'alice', authenticated: true, scopes: new Set() } };
  }

  async admit(call: IdentifiedCall): Promise<Principal> {
    return call.principal;
  }
}

/** Not a request, and much of it: decoding it would be noticed. */
const GARBAGE = new Uint8Array(900_000).fill(0xff);
const GOOD = { authorization: 'Bearer good' };

describe('The gate of the gRPC wire', () => {
  const authenticator = new BearerAuthenticator();
  let host: GrpcHost;
  let client: RawGrpcClient;

  beforeAll(async () => {
    host = await startGrpcHost({ authenticator });
    client = new RawGrpcClient(host.address);
  });
  beforeEach(() => {
    host.requests.reset();
    host.requests.scripts.getTask = () => create(TaskSchema, { id: 't-1' });
    authenticator.seeds.length = 0;
  });
  afterAll(async () => {
    client.close();
    await host.close();
  });

  it('lets a known caller in, with the principal', async () => {
    expect((await client.unary('GetTask', { id: 't-1' }, { metadata: GOOD })).code).toBe(status.OK);
    expect(host.requests.received[0]?.call.principal.owner).toBe('alice');
  });

  it('refuses a stranger before anything is decoded, 900 KB or not [decision 1]', async () => {
    const unary = await client.unary('SendMessage', GARBAGE);
    const { ending: streamed } = await readAll(client.stream('SendStreamingMessage', GARBAGE));
    // Garbage that is decoded is INVALID_ARGUMENT, as the last line proves.
    for (const { code, trailers, errorInfo } of [unary, streamed]) {
      expect(code).toBe(status.UNAUTHENTICATED);
      expect(errorInfo?.reason).toBe('UNAUTHENTICATED');
      expect(trailers.get('www-authenticate')).toEqual(['Bearer realm="a2a"']);
    }
    expect(host.requests.received).toEqual([]);
    expect((await client.unary('SendMessage', GARBAGE, { metadata: GOOD })).code).toBe(status.INVALID_ARGUMENT);
  });

  it.each([
    ['65 entries', Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`x-${at}`, '1']))],
    ['more than 8 KiB', { 'x-large': 'x'.repeat(8_192) }],
    ['8 KiB of credentials', { authorization: `Bearer ${'x'.repeat(8_192)}` }],
  ])('refuses metadata of %s and asks nobody who calls [D16]', async (_, metadata) => {
    const { code, errorInfo } = await client.unary('GetTask', { id: 't-1' }, { metadata });
    expect(code).toBe(status.RESOURCE_EXHAUSTED);
    expect(errorInfo?.reason).toBe('PAYLOAD_TOO_LARGE');
    expect(authenticator.seeds).toEqual([]);
  });

  it('refuses a message over 1 MiB [D1]', async () => {
    const large = toBinary(SendMessageRequestSchema, create(SendMessageRequestSchema, { message: userMessage('x'.repeat(1024 * 1024)) }));
    const { code } = await client.unary('SendMessage', large, { metadata: GOOD });
    expect(code).toBe(status.RESOURCE_EXHAUSTED);
    expect(host.requests.received).toEqual([]);
  });

  it('takes a message of nearly 1 MiB [D1]', async () => {
    host.requests.scripts.sendMessage = () => {
      throw new A2aError('UNSUPPORTED_OPERATION', 'Got it');
    };
    const { text } = await client.unary('SendMessage', { message: userMessage('x'.repeat(1024 * 1024 - 1_000)) }, { metadata: GOOD });
    expect(text).toBe('Got it');
  });

  it.each<[string, number[], string]>([
    ['bytes that are no protobuf', [0xff, 0xff, 0xff], 'request'],
    ['a length beyond the end', [0x12, 0x7f, 0x01], 'message'],
    ['a member of the wrong wire type', [0x10, 0x01], 'request'],
    ['a group', [0x0b, 0x0c], 'request'],
    ['a message cut short', [0x12, 0x02, 0x2a, 0x05], 'message.parts[0]'],
    ['an unknown enum number', [0x12, 0x02, 0x20, 0x07], 'message.role'],
    ['U+0000 in an id', [0x12, 0x03, 0x0a, 0x01, 0x00], 'message.message_id'],
    ['half a UTF-8 character', [0x12, 0x03, 0x0a, 0x01, 0xc3], 'message.message_id'],
    ['two contents in a part', [0x12, 0x08, 0x2a, 0x06, 0x0a, 0x01, 0x61, 0x1a, 0x01, 0x62], 'message.parts[0].url'],
    ['a data part without a value', [0x12, 0x04, 0x2a, 0x02, 0x22, 0x00], 'message.parts[0].data'],
  ])('answers %s with INVALID_ARGUMENT and the member at fault [GRPC-07, SER-09, D6]', async (_, bytes, field) => {
    const { code, badRequest } = await client.unary('SendMessage', Uint8Array.from(bytes), { metadata: GOOD });
    expect(code).toBe(status.INVALID_ARGUMENT);
    expect(badRequest?.fieldViolations[0]?.field).toBe(field);
    expect(host.requests.received).toEqual([]);
  });

  it('refuses half a million empty parts at once and without building them [D4]', async () => {
    const parts = Buffer.alloc(1_000_000, Uint8Array.from([0x2a, 0x00]));
    const message = Buffer.concat([Uint8Array.from([0x12, 0xc0, 0x84, 0x3d]), parts]);
    /** CPU microseconds of the cheapest of a few. */
    const costOf = async (work: () => unknown): Promise<number> => {
      let least = Infinity;
      for (let time = 0; time < 3; time++) {
        const before = process.cpuUsage();
        await work();
        least = Math.min(least, process.cpuUsage(before).user);
      }
      return least;
    };
    const refusing = await costOf(async () => {
      const { code } = await client.unary('SendMessage', message, { metadata: GOOD });
      expect(code).toBe(status.INVALID_ARGUMENT);
    });
    expect(refusing).toBeLessThan((await costOf(() => fromBinary(SendMessageRequestSchema, message))) / 2);
  });

  it('refuses deep nesting and takes what is just deep enough [D5]', async () => {
    host.requests.scripts.sendMessage = () => {
      throw new A2aError('UNSUPPORTED_OPERATION', 'Got it');
    };
    const nested = (levels: number) => Array.from({ length: levels }).reduce<object>((inner) => ({ a: inner }), {});
    const send = (levels: number) =>
      client.unary('SendMessage', { message: userMessage('x', { metadata: { a: nested(levels) } as never }) }, { metadata: GOOD });
    // Request, message, metadata, and `a` itself are four levels.
    expect((await send(60)).text).toBe('Got it');
    expect(await send(61)).toMatchObject({
      code: status.INVALID_ARGUMENT,
      badRequest: { fieldViolations: [{ field: 'message.metadata' }] },
    });
    expect((await send(90)).code).toBe(status.INVALID_ARGUMENT);
  });

  it('logs no metadata that it cannot read [E17]', async () => {
    const session = http2.connect(`http://${host.address}`);
    const request = session.request({
      ':method': 'POST',
      ':path': '/lf.a2a.v1.A2AService/GetTask',
      'content-type': 'application/grpc',
      authorization: 'Bearer canary\u00e9',
    });
    request.end(Buffer.alloc(5)).resume();
    const [headers] = (await once(request, 'response')) as [Record<string, string>];
    session.destroy();
    expect(headers['grpc-status']).toBe(String(status.UNAUTHENTICATED));
    expect(JSON.stringify(host.log.warnings)).toContain('Failed to add metadata entry authorization');
    expect(JSON.stringify(host.log)).not.toContain('canary');
  });
});
