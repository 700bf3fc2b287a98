import { type JsonValue } from '@bufbuild/protobuf';
import { dataPart, rawPart, textPart, urlPart, userMessage } from '@a2a/a2a-core';
import { sourcesOf } from './part-sources.js';

function read(...parts: Parameters<typeof userMessage>[0][]) {
  return sourcesOf(parts.map((part) => userMessage(part)));
}

const utf8 = new TextEncoder();

describe('The parts of a message', () => {
  it('become sources: text, inline files and data, in their order [DATA-01]', () => {
    const { sources, refused } = read([
      textPart('a'),
      rawPart(utf8.encode('b\n'), { filename: 'app.log', mediaType: 'text/plain' }),
      dataPart([{ msg: 'c' }, 'plain line']),
    ]);
    expect(refused).toEqual([]);
    expect(sources).toEqual([
      { name: 'text', text: 'a' },
      { name: 'app.log', text: 'b\n' },
      { name: 'data, one record a line', text: '{"msg":"c"}\nplain line' },
    ]);
  });

  it.each<[string, JsonValue, string]>([
    ['a list under a usual name', { items: [{ a: 1 }, { b: 2 }] }, '{"a":1}\n{"b":2}'],
    ['one object', { msg: 'x' }, '{"msg":"x"}'],
    ['a string', 'line 1\nline 2', 'line 1\nline 2'],
    ['null', null, 'null'],
  ])('show data as lines: %s', (_, data, text) => {
    expect(read(dataPart(data)).sources[0]?.text).toBe(text);
  });

  it('are decoded from UTF-16 and without a byte order mark', () => {
    const utf16 = Uint8Array.from([0xff, 0xfe, ...Buffer.from('ERROR ü', 'utf16le')]);
    expect(read(rawPart(utf16)).sources[0]?.text).toBe('ERROR ü');
    expect(read(rawPart(Uint8Array.from([0xef, 0xbb, 0xbf, 0x41]))).sources[0]?.text).toBe('A');
  });

  it.each([
    [
      'a URL',
      urlPart('https://x.example/app.log'),
      /do not fetch URLs, so "https:\/\/x\.example\/app\.log" was not read; send its content/,
    ],
    ['a compressed file', rawPart(Uint8Array.from([0x1f, 0x8b, 8]), { filename: 'a.gz' }), /"a\.gz" is compressed; send it as plain text/],
    ['an image', rawPart(Uint8Array.from([1]), { mediaType: 'image/png', filename: 'a.png' }), /"a\.png" is image\/png/],
    ['a binary file', rawPart(Uint8Array.from([0, 1, 0, 2, 0, 3])), /is not text/],
  ])('are refused with the next step: %s', (_, part, reason) => {
    const { sources, refused } = read(part);
    expect(sources).toEqual([]);
    expect(refused).toEqual([expect.stringMatching(reason)]);
  });

  it('are left out when they are blank', () => {
    expect(read([textPart(' \n'), textPart('x')]).sources).toHaveLength(1);
  });
});
