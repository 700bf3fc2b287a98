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

  it('believes nobody by default', () => {
    expect(new TrustedProxies([]).clientAddress('127.0.0.1', '1.2.3.4')).toBe('127.0.0.1');
  });

  it('names the entry that is no address', () => {
    expect(() => new TrustedProxies(['10.0.0.0/33'])).toThrow('"10.0.0.0/33"');
  });
});
