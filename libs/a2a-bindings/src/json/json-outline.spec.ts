import { outlineJson } from './json-outline.js';

const LIMITS = { jsonDepth: 64, jsonNodes: 20_000 };
const outline = (text: string) => outlineJson(text, LIMITS);
const members = (text: string) => Object.fromEntries(outline(text).members);

describe('outlineJson', () => {
  it('keeps the outermost members as text, exactly as sent', () => {
    expect(members('{"a": 9007199254740993 , "b":"x\\u0041", "c":{"a":1}, "d":[1,{"e":2}],"f":1e400}')).toEqual({
      a: '9007199254740993',
      b: '"x\\u0041"',
      c: '{"a":1}',
      d: '[1,{"e":2}]',
      f: '1e400',
    });
  });

  it('takes quotes, braces and commas inside strings for text', () => {
    expect(members('{"a":"\\"},{[:\\\\","b":2}')).toEqual({ a: '"\\"},{[:\\\\"', b: '2' });
  });

  it('knows a key by what it means, not by its spelling', () => {
    expect(members('{"\\u0069d":7}')).toEqual({ id: '7' });
    expect(outline('{"id":1,"i\\u0064":2}').repeated).toBe(true);
  });

  it('tells of a repeated member of the outermost object only [JRPC-13]', () => {
    expect(outline('{"method":"a","method":"b"}').repeated).toBe(true);
    expect(outline('{"a":{"x":1,"x":2},"x":3}').repeated).toBe(false);
  });

  it('counts the members of all objects, and no colon in a text', () => {
    expect(outline('{"a":{"x:":1,"x":2},"y":["a:b",{"z":":"}]}').memberCount).toBe(5);
    expect(outline('["a:b",1]').memberCount).toBe(0);
  });

  it.each(['', '{', '"', '[[', '{"a', '{"a":', '}}}', '{"a":1,}', 'nul', '{"a"', '\\"', '{"id":1'])('survives %j', (text) => {
    expect(() => outline(text)).not.toThrow();
  });

  it('stops at the first level too many, and still knows what came before [D2]', () => {
    const nest = (depth: number) => `{"id":5,"params":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    expect(outline(nest(64)).excess).toBeUndefined();
    const deep = outline(nest(65));
    expect(deep.excess).toBe('depth');
    expect(deep.members.get('id')).toBe('5');
  });

  it('stops at the first value too many [D4]', () => {
    const list = (length: number) => `[${'1,'.repeat(length - 1)}1]`;
    expect(outline(list(20_000)).excess).toBeUndefined();
    expect(outline(list(20_001)).excess).toBe('nodes');
    expect(outline(`[${'{},'.repeat(10_001)}{}]`).excess).toBe('nodes');
  });

  it('passes over a megabyte made to be slow in linear time', () => {
    const texts = [`"${'\\\\'.repeat(500_000)}"`, `"${'\\"'.repeat(500_000)}`, `{"a":"${'x'.repeat(1_000_000)}"}`, '{"a":"b"'.repeat(60)];
    const started = process.cpuUsage();
    for (const text of texts) outline(text);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5_000);
  });
});
