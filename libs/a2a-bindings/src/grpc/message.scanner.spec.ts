import { create, type DescMessage, fromBinary, type JsonObject, type MessageInitShape, toBinary, toJson } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import {
  agentMessage,
  dataPart,
  InvalidParamsError,
  ListTasksRequestSchema,
  OPERATIONS,
  rawPart,
  SendMessageRequestSchema,
  textPart,
  urlPart,
  userMessage,
} from '@a2a/a2a-core';
import { planOf } from './message.plan.js';
import { scanMessage } from './message.scanner.js';

const LIMITS = { maxDepth: 64, maxNodes: 20_000 };

const rich = encode(SendMessageRequestSchema, {
  tenant: 'acme',
  message: userMessage(
    [
      textPart('grüße 😀', { mediaType: 'text/plain' }),
      rawPart(Uint8Array.of(0, 1, 255)),
      urlPart('https://a.example'),
      dataPart({ a: [1, null, { b: 'c' }], d: -0.5 }),
    ],
    {
      contextId: 'c-1',
      metadata: { nested: [{ deep: [[[]]] }, true] },
      extensions: ['https://x.example/1'],
      referenceTaskIds: ['t-1', 't-2'],
    },
  ),
  configuration: { acceptedOutputModes: ['text/plain'], historyLength: -1, returnImmediately: true },
  metadata: { key: 'value' },
});

function encode<Desc extends DescMessage>(schema: Desc, init: MessageInitShape<Desc>): Uint8Array {
  return toBinary(schema, create(schema, init));
}

function refusal(schema: DescMessage, bytes: Uint8Array, limits = LIMITS): string | undefined {
  try {
    scanMessage(schema, bytes, limits);
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidParamsError)) throw error;
    const [violation] = error.details.fieldViolations ?? [];
    return `${violation?.field}: ${violation?.description}`;
  }
}

describe('scanMessage', () => {
  it.each(OPERATIONS.map(({ name, input }) => [name, input] as const))('knows how to read every field of a %s request', (_, input) => {
    const seen = new Set<DescMessage>();
    const visit = (schema: DescMessage): void => {
      if (seen.has(schema)) return;
      seen.add(schema);
      for (const field of planOf(schema).fields.values()) if ('message' in field) visit(field.message);
    };
    expect(() => visit(input)).not.toThrow();
    expect(refusal(input, new Uint8Array())).toBeUndefined();
  });

  it('passes a request with something of everything', () => {
    expect(refusal(SendMessageRequestSchema, rich)).toBeUndefined();
  });

  it('refuses a request that ends anywhere but at its end', () => {
    const whole = new Set<number>();
    for (let length = 0; length < rich.length; length++)
      if (refusal(SendMessageRequestSchema, rich.subarray(0, length)) === undefined) whole.add(length);
    // Between two members of the outermost message a cut leaves a valid request.
    expect(whole.size).toBeLessThanOrEqual(4);
  });

  it('passes nothing that could not be decoded and written as JSON, whatever byte is changed', () => {
    const random = generator(42);
    let passed = 0;
    for (let round = 0; round < 20_000; round++) {
      const bytes = Uint8Array.from(rich);
      for (let changes = 1 + (random() % 3); changes > 0; changes--) bytes[random() % bytes.length] = random() % 256;
      if (refusal(SendMessageRequestSchema, bytes) !== undefined) continue;
      passed++;
      const message = fromBinary(SendMessageRequestSchema, bytes, { readUnknownFields: false, recursionLimit: 256 });
      expect(() => toJson(SendMessageRequestSchema, message)).not.toThrow();
    }
    expect(passed).toBeGreaterThan(1_000);
  });

  it.each([
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
  ])('refuses %s, which JSON cannot say', (_, value) => {
    const part = { content: { case: 'data' as const, value: create(ValueSchema, { kind: { case: 'numberValue', value } }) } };
    const bytes = encode(SendMessageRequestSchema, { message: { parts: [part] } });
    expect(refusal(SendMessageRequestSchema, bytes)).toBe('message.parts[0].data: not a finite number');
  });

  it.each([
    [-62_135_596_801n, 0],
    [253_402_300_800n, 0],
    [0n, -1],
    [0n, 1_000_000_000],
  ])('refuses the time %s s %s ns, which RFC 3339 cannot say', (seconds, nanos) => {
    const bytes = encode(ListTasksRequestSchema, { statusTimestampAfter: { seconds, nanos } });
    expect(refusal(ListTasksRequestSchema, bytes)).toContain('statusTimestampAfter: not a point in time');
  });

  it.each([
    [-62_135_596_800n, 0],
    [253_402_300_799n, 999_999_999],
  ])('passes the time %s s %s ns', (seconds, nanos) => {
    expect(refusal(ListTasksRequestSchema, encode(ListTasksRequestSchema, { statusTimestampAfter: { seconds, nanos } }))).toBeUndefined();
  });

  it('names the known values of an enum [GRPC-07]', () => {
    const bytes = encode(ListTasksRequestSchema, { status: 99 as never });
    expect(refusal(ListTasksRequestSchema, bytes)).toMatch(
      /^status: unknown value; known: TASK_STATE_UNSPECIFIED, .*TASK_STATE_AUTH_REQUIRED$/,
    );
    expect(refusal(ListTasksRequestSchema, encode(ListTasksRequestSchema, { status: -1 as never }))).toContain('unknown value');
  });

  const withMetadata = (json: string): Uint8Array =>
    encode(SendMessageRequestSchema, { message: { metadata: JSON.parse(json) as JsonObject } });

  it.each([
    ['__proto__', '{"a":[{"__proto__":{"admin":true}}]}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"admin":true}}}'],
    ['constructor.prototype', '{"a":[{"constructor":{"b":{"c":[]},"prototype":null}}]}'],
  ])('refuses a member named %s, at any depth: %s [D3]', (key, metadata) => {
    expect(refusal(SendMessageRequestSchema, withMetadata(metadata))).toBe(`message.metadata: a member named ${key}`);
  });

  it('takes the words where they reach nothing, as JSON does [D3]', () => {
    const metadata = '{"prototype":1,"constructor":"Bob","a":{"constructor":[{"prototype":1}],"b":{"constructor":{"c":{"prototype":1}}}}}';
    expect(refusal(SendMessageRequestSchema, withMetadata(metadata))).toBeUndefined();
  });

  it('finds such a member although its key stands behind its value [D3]', () => {
    const field = (number: number, bytes: Uint8Array): Uint8Array => Uint8Array.of((number << 3) | 2, bytes.length, ...bytes);
    const entry = (key: string, value: Uint8Array): Uint8Array =>
      field(1, Uint8Array.of(...field(2, value), ...field(1, Buffer.from(key))));
    const inner = entry('prototype', toBinary(ValueSchema, create(ValueSchema, { kind: { case: 'boolValue', value: true } })));
    const metadata = field(4, entry('constructor', field(5, inner)));
    expect(refusal(SendMessageRequestSchema, metadata)).toBe('metadata: a member named constructor.prototype');
  });

  it('refuses U+0000 in keys and values of metadata [D6]', () => {
    for (const metadata of [{ 'a\0': 1 }, { a: 'b\0' }, { a: [['\0']] }] as JsonObject[]) {
      expect(refusal(SendMessageRequestSchema, encode(SendMessageRequestSchema, { metadata }))).toBe('metadata: contains U+0000');
    }
  });

  it('takes U+0000 in raw bytes', () => {
    const message = agentMessage(rawPart(Uint8Array.of(0)));
    expect(refusal(SendMessageRequestSchema, encode(SendMessageRequestSchema, { message }))).toBeUndefined();
  });

  it('counts levels as JSON has them [D5]', () => {
    // request 1, message 2, parts 3, part 4, data: list 5, object 6
    const bytes = encode(SendMessageRequestSchema, { message: userMessage(dataPart([{ a: 1 }])) });
    expect(refusal(SendMessageRequestSchema, bytes, { ...LIMITS, maxDepth: 6 })).toBeUndefined();
    expect(refusal(SendMessageRequestSchema, bytes, { ...LIMITS, maxDepth: 5 })).toBe(
      'message.parts[0].data: nested more than 5 levels deep',
    );
  });

  it('counts members and elements [D4]', () => {
    // message, its id, role and 3 parts, each with a text
    const bytes = encode(SendMessageRequestSchema, { message: userMessage([textPart('a'), textPart('b'), textPart('c')]) });
    expect(refusal(SendMessageRequestSchema, bytes, { ...LIMITS, maxNodes: 9 })).toBeUndefined();
    expect(refusal(SendMessageRequestSchema, bytes, { ...LIMITS, maxNodes: 8 })).toBe('message.parts[2]: more than 8 members and elements');
  });
});

/** The same numbers every time. */
function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) >>> 8;
}
