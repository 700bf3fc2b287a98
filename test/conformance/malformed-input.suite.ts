import { randomUUID } from 'node:crypto';
import { create, type JsonObject, type JsonValue, toBinary } from '@bufbuild/protobuf';
import { SendMessageRequestSchema } from '@a2a/a2a-core';
import { type WireError } from '../support/clients/a2a-client.js';
import { type ConformanceHost, HTTP_WIRES, type Wire, WIRES } from './conformance-host.js';
import { errorOf, pathOn, say } from './requests.js';

const INVALID_PARAMS: Record<Wire, number> = { JSONRPC: -32602, 'HTTP+JSON': 400, GRPC: 3 };
const TWO_MEGABYTES = 'x'.repeat(2 * 1024 * 1024);

/** Wrong messages that every wire can carry, and the member each is wrong in. */
const WRONG_MESSAGES: readonly [what: string, message: JsonObject, field: string | RegExp][] = [
  ['no parts', { parts: [] }, 'message.parts'],
  ['a part without content', { parts: [{ text: 'x' }, { mediaType: 'text/plain' }] }, 'message.parts[1]'],
  ['no role', { role: null }, 'message.role'],
  ['an unspecified role', { role: 'ROLE_UNSPECIFIED' }, 'message.role'],
  ["the agent's role", { role: 'ROLE_AGENT' }, 'message.role'],
  ['no messageId', { messageId: '' }, 'message.messageId'],
  ['an endless messageId', { messageId: 'x'.repeat(5_000) }, 'message.messageId'],
  ['an endless contextId', { contextId: 'x'.repeat(5_000) }, 'message.contextId'],
  ['U+0000 in a text', { parts: [{ text: 'a\u0000b' }] }, 'message.parts[0].text'],
  ['U+0000 in the messageId', { messageId: 'a\u0000b' }, 'message.messageId'],
  ['U+0000 in the contextId', { contextId: 'a\u0000b' }, 'message.contextId'],
  ['a member that reaches a prototype', { metadata: { constructor: { prototype: { admin: true } } } }, 'message.metadata'],
  ['U+0000 deep in data', { parts: [{ data: { list: [{ deep: 'a\u0000b' }] } }] }, /^message\.parts\[0\]\.data/],
];

/** Wrong JSON members; the binary wire cannot carry them. */
const WRONG_JSON: readonly [what: string, message: JsonValue, field: string | RegExp][] = [
  ['a message that is no object', 'hello', 'message'],
  ['two contents in a part', { parts: [{ text: 'a', url: 'https://a.example' }] }, 'message.parts[0]'],
  ['wrong base64', { parts: [{ raw: '*not base64*' }] }, 'message.parts[0].raw'],
  ['base64 with padding inside', { parts: [{ raw: 'aGk=aGk=' }] }, 'message.parts[0].raw'],
  ['base64 with too much padding', { parts: [{ raw: 'aGk==' }] }, 'message.parts[0].raw'],
  ['base64 with white space', { parts: [{ raw: 'aG k=' }] }, 'message.parts[0].raw'],
  ['a role of 0.3', { role: 'user' }, 'message.role'],
  ['an unknown role', { role: 99 }, 'message.role'],
  ['a number as messageId', { messageId: 5 }, 'message.messageId'],
  ['both spellings of a member', { contextId: 'a', context_id: 'a' }, 'message.contextId'],
  ['metadata that is a list', { metadata: [] }, 'message.metadata'],
  ['a part that is null', { parts: [null] }, 'message.parts[0]'],
  ['half a surrogate pair', { parts: [{ text: 'a\ud800b' }] }, 'message.parts[0].text'],
];

const WRONG_CONFIGURATIONS: readonly [configuration: JsonObject, field: string][] = [
  [{ historyLength: -1 }, 'configuration.historyLength'],
  [{ historyLength: 1.5 }, 'configuration.historyLength'],
  [{ historyLength: 'abc' }, 'configuration.historyLength'],
  [{ returnImmediately: 'yes' }, 'configuration.returnImmediately'],
  [{ acceptedOutputModes: 'text/plain' }, 'configuration.acceptedOutputModes'],
];

/** What must be refused: the right error on each wire, and nothing stored. [SEND-08] [ERR-08] [SER-13] */
export function malformedInputSuite(host: () => ConformanceHost): void {
  describe('Malformed input', () => {
    let before: number;
    const total = async (): Promise<number> => (await host().grpc.listTasks({ pageSize: 1 })).totalSize;
    beforeAll(async () => {
      before = await total();
    });
    afterEach(async () => {
      expect(await total()).toBe(before);
    });

    describe.each(WIRES)('over %s', (wire) => {
      const client = () => host().client(wire);
      const expectRefusal = (error: WireError, field: string | RegExp): void => {
        expect(error.code).toBe(INVALID_PARAMS[wire]);
        expect(error.fields[0]).toEqual(typeof field === 'string' ? pathOn(wire, field) : expect.stringMatching(field));
      };

      it.each(WRONG_MESSAGES)('refuses %s, in both sends', async (_, message, field) => {
        expectRefusal(await errorOf(client().send(say('/task', message))), field);
        expectRefusal(await errorOf(client().stream(say('/task', message))), field);
      });

      it('refuses a request without a message', async () => {
        expectRefusal(await errorOf(client().send({ metadata: {} })), 'message');
      });

      it('refuses empty ids', async () => {
        if (wire !== 'HTTP+JSON') {
          expectRefusal(await errorOf(client().getTask({ id: '' })), 'id');
          expectRefusal(await errorOf(client().cancelTask({ id: '' })), 'id');
          expectRefusal(await errorOf(client().subscribe({ id: '' })), 'id');
        }
      });

      it('refuses data nested beyond the limit', async () => {
        const data = JSON.parse(`${'['.repeat(90)}${']'.repeat(90)}`) as JsonValue;
        const error = await errorOf(client().send(say('/task', { parts: [{ data }] })));
        expect(error.code).toBe(INVALID_PARAMS[wire]);
      });

      it('refuses a body of two megabytes', async () => {
        const error = await errorOf(client().send(say('/task', { parts: [{ text: TWO_MEGABYTES }] })));
        expect([error.code, error.httpStatus]).toEqual({ JSONRPC: [-32600, 413], 'HTTP+JSON': [413, 413], GRPC: [8, undefined] }[wire]);
      });

      it('refuses more parts than the limit', async () => {
        const parts = Array.from({ length: 300 }, () => ({ text: 'x' }));
        expectRefusal(await errorOf(client().send(say('', { parts }))), 'message.parts');
      });

      it('refuses metadata beyond the limit', async () => {
        const metadata = { big: 'x'.repeat(70_000) };
        expectRefusal(await errorOf(client().send(say('/task', { metadata }))), 'message.metadata');
      });
    });

    describe.each(HTTP_WIRES)('as JSON over %s', (wire) => {
      const client = () => host().client(wire);

      it.each(WRONG_JSON)('refuses %s', async (_, message, field) => {
        const request = typeof message === 'object' ? say('/task', message as JsonObject) : { message };
        const error = await errorOf(client().send(request));
        expect(error.code).toBe(INVALID_PARAMS[wire]);
        expect(error.fields).toEqual([field]);
      });

      it.each(WRONG_CONFIGURATIONS)('refuses the configuration %j', async (configuration, field) => {
        const error = await errorOf(client().send(say('/task', {}, configuration)));
        expect([error.code, error.fields]).toEqual([INVALID_PARAMS[wire], [field]]);
      });

      it.each([
        ['without a zone', '2026-01-01T00:00:00'],
        ['on a day that its month has not', '2026-02-30T00:00:00Z'],
        ['at an hour that no day has', '2026-01-01T24:00:00Z'],
        ['with a second too many', '2026-01-01T00:00:60Z'],
        ['in no year', '0000-01-01T00:00:00Z'],
        ['that is a number', '1767225600'],
      ])('refuses a timestamp %s [SER-07] [LIST-08]', async (_, statusTimestampAfter) => {
        const error = await errorOf(client().listTasks({ statusTimestampAfter }));
        expect([error.code, error.fields]).toEqual([INVALID_PARAMS[wire], ['statusTimestampAfter']]);
      });

      it.each(['working', 'TASK_STATE_CANCELLED', '99'])('refuses the state %j [LIST-08]', async (status) => {
        const error = await errorOf(client().listTasks({ status }));
        expect([error.code, error.fields]).toEqual([INVALID_PARAMS[wire], ['status']]);
      });

      it('takes both spellings of members, one at a time [SER-02]', async () => {
        const message = { message_id: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'x', media_type: 'application/x-nobody' }] };
        expect((await errorOf(client().send({ message }))).reason).toBe('CONTENT_TYPE_NOT_SUPPORTED');
      });
    });

    describe('as text', () => {
      const rest = (body: string) => host().rest.request('POST', '/message:send', body);
      const rpc = (params: string) => host().jsonRpc.post(`{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${params}}`);
      const withKey = (key: string): string => JSON.stringify(say('/task', { metadata: { KEY: { polluted: true } } })).replace('KEY', key);

      it.each(['__proto__', '\\u005f_proto__'])('refuses the key %s', async (key) => {
        expect((await rest(withKey(key))).status).toBe(400);
        expect(JSON.parse((await rpc(withKey(key))).text)).toMatchObject({ error: { code: -32602 } });
      });

      it('refuses a member that is given twice, and names it [JRPC-13]', async () => {
        const twice = JSON.stringify(say('/task')).replace('"text":', '"text":"/echo x","text":');
        const violation = { fieldViolations: [{ field: 'message.parts[0].text', description: 'given twice' }] };
        expect(JSON.parse((await rest(twice)).text)).toMatchObject({ error: { code: 400, details: [{}, violation] } });
        expect(JSON.parse((await rpc(twice)).text)).toMatchObject({ id: 1, error: { code: -32602, data: [{}, violation] } });
      });

      it('refuses a bomb of brackets quickly', async () => {
        const bomb = JSON.stringify(say('/task', { metadata: { KEY: 0 } })).replace('0', `${'['.repeat(10_000)}${']'.repeat(10_000)}`);
        expect((await rest(bomb)).status).toBe(400);
        expect(JSON.parse((await rpc(bomb)).text)).toMatchObject({ error: { code: -32602 } });
      });

      it('refuses a flood of small values', async () => {
        const flood = JSON.stringify(say('/task', { metadata: { KEY: 0 } })).replace('0', `[${'0,'.repeat(60_000)}0]`);
        expect((await rest(flood)).status).toBe(400);
        expect(JSON.parse((await rpc(flood)).text)).toMatchObject({ error: { code: -32602 } });
      });

      it.each(['', '{', 'null', '[]', '"text"', '{"message":}', '\ufeff{}', "{'message':1}", '{"a":1}{"b":2}'])(
        'refuses %j as a REST body, in its own shape and without parser text [ERR-10] [ERR-30]',
        async (body) => {
          const { status, headers, text } = await rest(body);
          expect(status).toBe(400);
          expect(headers.get('content-type')).toMatch(/^application\/a2a\+json/);
          expect(JSON.parse(text)).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } });
          expect(text).not.toMatch(/position|Unexpected|SyntaxError|<html|\bat /i);
        },
      );

      it('refuses bytes that are not UTF-8', async () => {
        const bytes = Buffer.concat([Buffer.from('{"message":{"messageId":"'), Buffer.of(0xff, 0xfe), Buffer.from('"}}')]);
        expect((await host().rest.request('POST', '/message:send', bytes)).status).toBe(400);
      });
    });

    describe('as protobuf', () => {
      const bytesOf = (message: object): Uint8Array =>
        toBinary(SendMessageRequestSchema, create(SendMessageRequestSchema, { message: { messageId: randomUUID(), ...message } }));

      it.each([
        ['bytes that are no message', Uint8Array.of(0x12, 0xff, 0xff, 0xff, 0xff)],
        ['an unknown role number [GRPC-07]', bytesOf({ role: 99, parts: [{ content: { case: 'text', value: '/task' } }] })],
        ['a message of defaults [GRPC-05]', bytesOf({})],
      ])('refuses %s', async (_, bytes) => {
        const error = await errorOf(host().grpc.callBytes('SendMessage', bytes));
        expect([3, 13]).toContain(error.code);
        expect(error.message).not.toMatch(/index out of range|invalid wire|lf\.a2a/i);
      });
    });
  });
}
