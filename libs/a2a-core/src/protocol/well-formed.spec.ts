import { splitTrailingHalf, wellFormed, wellFormedCopy } from './well-formed.js';

describe('text that UTF-8 can hold', () => {
  it.each([
    ['plain', 'plain'],
    ['whole 😀', 'whole 😀'],
    ['cut \ud83d', 'cut \ufffd'],
    ['\ude00 rest', '\ufffd rest'],
    ['\ud83d\ud83d\ude00', '\ufffd😀'],
  ])('%j becomes %j [D6]', (given, expected) => {
    expect(wellFormed(given)).toBe(expected);
  });

  it('is made of every text and key of a copy, and the original stays as it is', () => {
    const bytes = new Uint8Array([0xd8, 0x3d]);
    const message = { text: '\ud83d', size: 1n, parts: [{ raw: bytes, metadata: { '\ud83d': ['\ude00', 1, null] } }] };
    const before = structuredClone(message);
    const copy = wellFormedCopy(message);
    expect(copy).toEqual({ text: '\ufffd', size: 1n, parts: [{ raw: bytes, metadata: { '\ufffd': ['\ufffd', 1, null] } }] });
    bytes[0] = 0;
    expect(copy.parts[0]?.raw[0]).toBe(0xd8);
    expect({ ...message, parts: [{ ...message.parts[0], raw: before.parts[0]?.raw }] }).toEqual(before);
  });

  it('takes __proto__ for a key like any other', () => {
    const copy = wellFormedCopy(JSON.parse('{"__proto__": {"polluted": true}}') as Record<string, unknown>);
    expect(Object.hasOwn(copy, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it('keeps the first half of a character for the piece that brings the other', () => {
    expect(splitTrailingHalf('a\ud83d')).toEqual(['a', '\ud83d']);
    expect(splitTrailingHalf('a😀')).toEqual(['a😀', '']);
  });
});
