import { A2aError, InvalidParamsError } from '@a2a/a2a-core';
import { DEFAULT_HTTP_LIMITS } from '../a2a-bindings.options.js';
import { outlineJson } from './json-outline.js';
import { parseJson } from './json.reader.js';

const read = (text: string) =>
  parseJson(text, outlineJson(text, DEFAULT_HTTP_LIMITS), DEFAULT_HTTP_LIMITS, (path, description) =>
    InvalidParamsError.of(path, description),
  );

function refusal(text: string): A2aError {
  try {
    read(text);
  } catch (error) {
    if (error instanceof A2aError) return error;
  }
  throw new Error(`${text} was accepted`);
}

describe('parseJson', () => {
  it.each(['', '{bad', '{"a":1,}', '\uFEFF{}', "{'a':1}", '[1', 'NaN', '{"a":1}{"b":2}', '{"a":"\u0001"}'])(
    'refuses %j with a fixed text [E16]',
    (text) => {
      expect(refusal(text)).toMatchObject({ reason: 'PARSE_ERROR', message: 'Invalid JSON payload' });
    },
  );

  it.each([
    ['{"__proto__":{"admin":true}}', '__proto__', ''],
    ['{"a":[{"\\u005f_proto__":1}]}', '__proto__', 'a[0]'],
    ['{"constructor":{"prototype":{"x":1}}}', 'constructor.prototype', ''],
    ['{"a":[{"b":{"construc\\u0074or":{"prototype":null}}}]}', 'constructor.prototype', 'a[0].b'],
  ])('refuses %s, and names the key %s and its object %j [D3]', (text, key, field) => {
    expect(refusal(text).details.fieldViolations).toEqual([{ field, description: `a member named ${key}` }]);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('accepts the word constructor where it reaches nothing', () => {
    expect(read('{"constructor":"Bob the builder"}')).toEqual({ constructor: 'Bob the builder' });
    expect(read('{"prototype":{},"a":["constructor","__proto__"]}')).toEqual({ prototype: {}, a: ['constructor', '__proto__'] });
  });

  it.each([
    ['{"message":{"parts":[{"text":"a"},{"text":"b\\u0000"}]}}', 'message.parts[1].text'],
    ['{"id":"\\ud800"}', 'id'],
    ['{"id":"\\uDC00x"}', 'id'],
    ['{"metadata":{"a\\u0000":1}}', 'metadata'],
  ])('names the member with text that not every store can keep: %s [D6]', (text, field) => {
    expect(refusal(text).details.fieldViolations).toEqual([{ field, description: expect.any(String) }]);
  });

  it.each([
    ['{"message":{"parts":[{"data":{"a":1e999}}]}}', 'message.parts[0].data.a'],
    ['{"metadata":{"a":[0,-1E+400]}}', 'metadata.a[1]'],
    [`{"metadata":{"a":${'9'.repeat(400)}}}`, 'metadata.a'],
  ])('names the number that is beyond a double: %s [SER-18]', (text, field) => {
    expect(refusal(text).details.fieldViolations).toEqual([{ field, description: 'not a finite number' }]);
  });

  it('accepts every number that is finite, and texts that look like one that is not', () => {
    expect(read('[1e308,-1.5E+10,1e-999,"1e999"]')).toEqual([1e308, -1.5e10, 0, '1e999']);
  });

  it('accepts pairs of surrogates, however they are written, and escaped backslashes', () => {
    expect(read('["\\ud83d\\ude00","😀","\\\\u0000"]')).toEqual(['😀', '😀', '\\u0000']);
  });

  it.each([
    ['{"id":"a","id":"a"}', 'id'],
    ['{"id":"a","i\\u0064":null}', 'id'],
    ['{"message":{"parts":[{"text":"a"},{"text":"b","text":"c"}]}}', 'message.parts[1].text'],
    ['{"metadata":{"a":[[],[{"b":"\\"}{,:"},{"b":1,"c":2,"b":3}]]}}', 'metadata.a[1][1].b'],
    ['[{"a":1},{"a":{},"a":{}}]', '[1].a'],
    ['{"":1,"":2}', ''],
    ['{"a":"x\\\\","a":"y"}', 'a'],
  ])('names the member that is given twice: %s [JRPC-13]', (text, field) => {
    expect(refusal(text).details.fieldViolations).toEqual([{ field, description: 'given twice' }]);
  });

  it('accepts the same name in different objects, and in texts [JRPC-13]', () => {
    const value = { a: { a: { a: [] } }, b: [{ a: 1 }, { a: 1 }], c: '"a":1,"a":2' };
    expect(read(JSON.stringify(value))).toEqual(value);
  });
});
