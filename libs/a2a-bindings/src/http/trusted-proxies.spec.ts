import { TrustedProxies } from './trusted-proxies.js';

const PROXIES = new TrustedProxies(['10.0.0.0/8', '2001:db8::/32', '192.0.2.1']);

describe('TrustedProxies', () => {
  it.each([
    ['a header from a stranger does not count [E23]', '203.0.113.9', '1.2.3.4', '203.0.113.9'],
    ['a header from a proxy does', '10.1.2.3', '203.0.113.9', '203.0.113.9'],
    ['the nearest hop that is no proxy counts', '10.1.2.3', '6.6.6.6, 203.0.113.9, 192.0.2.1', '203.0.113.9'],
    ['an IPv4 address in IPv6 form is the same address', '::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9'],
    ['a proxy may have an IPv6 address', '2001:db8::1', '203.0.113.9', '203.0.113.9'],
    ['what is no address is not believed', '10.1.2.3', '<script>', '10.1.2.3'],
    ['a list of proxies only leads to the connection', '10.1.2.3', '10.0.0.1, 10.0.0.2', '10.1.2.3'],
  ])('%s', (_, peer, forwardedFor, client) => {
    expect(PROXIES.clientAddress(peer, forwardedFor)).toBe(client);
  });

  it.each<[string, string | undefined, Record<string, string>, boolean]>([
    ['a client of its own', '203.0.113.9', { host: 'agents.example' }, false],
    ['one of our proxies', '10.1.2.3', {}, true],
    ['a proxy that says so', '203.0.113.9', { via: '1.1 edge' }, true],
    ['a proxy that says whom it speaks for', '203.0.113.9', { 'x-forwarded-for': '1.2.3.4' }, true],
    ['nobody knows who', undefined, {}, false],
  ])('knows whether a connection may be shared, at whose other end is %s [A26]', (_, peer, headers, isShared) => {
    expect(PROXIES.mayShareConnection(peer, new Map(Object.entries(headers)))).toBe(isShared);
  });

  it('believes nobody by default', () => {
    expect(new TrustedProxies([]).clientAddress('127.0.0.1', '1.2.3.4')).toBe('127.0.0.1');
  });

  it('names the entry that is no address', () => {
    expect(() => new TrustedProxies(['10.0.0.0/33'])).toThrow('"10.0.0.0/33"');
  });
});
