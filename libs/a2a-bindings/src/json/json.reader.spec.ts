import { A2aError } from '@a2a/a2a-core';
import { DEFAULT_HTTP_LIMITS } from '../a2a-bindings.options.js';
import { outlineJson } from './json-outline.js';
import { parseJson } from './json.reader.js';

const read = (text: string, prefix?: string) => parseJson(text, outlineJson(text, DEFAULT_HTTP_LIMITS), DEFAULT_HTTP_LIMITS, prefix);

function refusal(text: string, prefix?: string): A2aError {
  try {
    read(text, prefix);
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
    ['{"__proto__":{"admin":true}}', '__proto__'],
    ['{"a":[{"\\u005f_proto__":1}]}', '__proto__'],
    ['{"constructor":{"prototype":{"x":1}}}', 'constructor.prototype'],
    ['[{"a":{"construc\\u0074or":{"prototype":null}}}]', 'constructor.prototype'],
  ])('refuses %s, and names the key %s [D3]', (text, field) => {
    expect(refusal(text)).toMatchObject({
      reason: 'INVALID_PARAMS',
      details: { fieldViolations: [{ field, description: 'this key is not accepted' }] },
    });
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('accepts the word constructor where it reaches nothing', () => {
    expect(read('{"constructor":"Bob the builder"}')).toEqual({ constructor: 'Bob the builder' });
  });

  it.each([
    ['{"params":{"message":{"parts":[{"text":"a"},{"text":"b\\u0000"}]}}}', 'message.parts[1].text'],
    ['{"params":{"id":"\\ud800"}}', 'id'],
    ['{"params":{"id":"\\uDC00x"}}', 'id'],
    ['{"params":{"metadata":{"a\\u0000":1}}}', 'metadata'],
  ])('names the member with text that not every store can keep: %s [D6]', (text, field) => {
    expect(refusal(text, 'params.').details.fieldViolations).toEqual([{ field, description: expect.any(String) }]);
  });

  it.each([
    ['{"params":{"message":{"parts":[{"data":{"a":1e999}}]}}}', 'message.parts[0].data.a'],
    ['{"params":{"metadata":{"a":[0,-1E+400]}}}', 'metadata.a[1]'],
    [`{"params":{"metadata":{"a":${'9'.repeat(400)}}}}`, 'metadata.a'],
  ])('names the number that is beyond a double: %s [SER-18]', (text, field) => {
    expect(refusal(text, 'params.').details.fieldViolations).toEqual([{ field, description: 'not a finite number' }]);
  });

  it('accepts every number that is finite, and texts that look like one that is not', () => {
    expect(read('[1e308,-1.5E+10,1e-999,"1e999"]')).toEqual([1e308, -1.5e10, 0, '1e999']);
  });

  it('accepts pairs of surrogates, however they are written, and escaped backslashes', () => {
    expect(read('["\\ud83d\\ude00","😀","\\\\u0000"]')).toEqual(['😀', '😀', '\\u0000']);
  });
});
