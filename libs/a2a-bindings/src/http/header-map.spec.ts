import { readHeaders } from './header-map.js';

describe('readHeaders', () => {
  it('joins repeated fields under one lower-case name [RFC 9110 §5.3]', () => {
    const { headers, repeatedHeaders } = readHeaders([
      'A2A-Extensions',
      'urn:a',
      'Cookie',
      'a=1',
      'a2a-extensions',
      'urn:b',
      'COOKIE',
      'b=2',
    ]);
    expect(Object.fromEntries(headers)).toEqual({ 'a2a-extensions': 'urn:a, urn:b', cookie: 'a=1; b=2' });
    expect([...(repeatedHeaders ?? [])]).toEqual(['a2a-extensions', 'cookie']);
  });

  it('refuses two Authorization fields, whichever Node would keep [A16]', () => {
    expect(() => readHeaders(['Authorization', 'Bearer a', 'authorization', 'Bearer b'])).toThrow('More than one Authorization header');
  });

  it('names no repeated fields where there are none', () => {
    expect(readHeaders(['Host', 'x', 'Accept', '*/*']).repeatedHeaders).toBeUndefined();
  });
});
