import { makeWellFormed, splitTrailingHalf, wellFormed } from './well-formed.js';

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

  it('is made of every text and key of a message, and bytes stay as they are', () => {
    const bytes = new Uint8Array([0xd8, 0x3d]);
    const message = { text: '\ud83d', parts: [{ raw: bytes, metadata: { '\ud83d': ['\ude00', 1, null] } }] };
    expect(makeWellFormed(message)).toEqual({ text: '\ufffd', parts: [{ raw: bytes, metadata: { '\ufffd': ['\ufffd', 1, null] } }] });
  });

  it('keeps the first half of a character for the piece that brings the other', () => {
    expect(splitTrailingHalf('a\ud83d')).toEqual(['a', '\ud83d']);
    expect(splitTrailingHalf('a😀')).toEqual(['a😀', '']);
  });
});
