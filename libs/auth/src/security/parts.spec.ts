import { AddressList } from './address-list.js';
import { formatChallenge } from './challenge.js';
import { parseCookies } from './cookies.js';
import { ownerKey } from './owner-key.js';
import { BoundedMap } from '../tokens/bounded-map.js';
import { namesOf } from '../schemes/certificate-names.js';
import { X509Certificate } from 'node:crypto';
import { makeCertificate } from '../../../../test/support/certificates.js';

describe('a challenge', () => {
  it('leaves out what is not there', () => {
    expect(formatChallenge('Bearer', { realm: 'a', scope: '', error: undefined })).toBe('Bearer realm="a"');
    expect(formatChallenge('Negotiate', {})).toBe('Negotiate');
  });

  it('lets no value end its quotes, its header or its line', () => {
    expect(formatChallenge('Bearer', { realm: 'a", error="x', scope: 'b\r\nSet-Cookie: c\u20ac\\' })).toBe(
      'Bearer realm="a\\", error=\\"x", scope="bSet-Cookie: c\\\\"',
    );
  });
});

describe('cookies', () => {
  it('are read as sent, the first of each name', () => {
    const { cookies, repeated } = parseCookies('a=1; b="two"; c=3=4; flag; =nameless;  d = spaced ; a=9');
    expect({ ...cookies }).toEqual({ a: '1', b: 'two', c: '3=4', d: 'spaced' });
    expect(repeated).toEqual(['a']);
  });

  it('named like members of Object are cookies and nothing else', () => {
    const { cookies } = parseCookies('__proto__=x; constructor=y');
    expect(Object.getPrototypeOf(cookies)).toBeNull();
    expect(cookies['constructor']).toBe('y');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('are none without a header', () => {
    expect({ ...parseCookies(undefined).cookies }).toEqual({});
  });
});

describe('addresses', () => {
  const list = new AddressList(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32']);

  it.each(['10.255.0.1', '192.0.2.7', '::ffff:10.0.0.1', '2001:db8:ffff::1'])('knows %s', (address) => {
    expect(list.has(address)).toBe(true);
  });

  it.each(['11.0.0.1', '192.0.2.8', '2001:db9::1', '', 'example.com', undefined])('does not know %s', (address) => {
    expect(list.has(address)).toBe(false);
  });
});

describe('an owner key', () => {
  const identity = { realm: 'token', issuer: 'https://a.example', subject: 'bob', scopes: [] };

  it('is the same for ever', () => {
    expect(ownerKey(identity)).toBe('u_-lMHaIEFva6lQ7GlqvGaocpqVsGUxS8MKOooBWkNkPM');
  });

  it('is imitated by no other choice of parts', () => {
    const pairs = [
      { ...identity, issuer: 'a|b', subject: 'c' },
      { ...identity, issuer: 'a', subject: 'b|c' },
      { ...identity, issuer: 'a","b', subject: 'c' },
      { ...identity, issuer: 'a', subject: 'b","c' },
      { ...identity, realm: 'api-key' },
      { ...identity, clientId: 'x', ownedByClient: true },
      { ...identity, clientId: 'y', ownedByClient: true },
      identity,
    ];
    expect(new Set(pairs.map(ownerKey)).size).toBe(pairs.length);
  });
});

it('a bounded map forgets what was set longest ago', () => {
  const map = new BoundedMap<string, number>(2);
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
  ] as const)
    map.set(key, value);
  expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([3, undefined, 4, 2]);
});

it('names of a certificate are split where its authority split them', () => {
  const x509 = new X509Certificate(
    makeCertificate({ uris: ['spiffe://a/b', 'urn:x,y'], dnsNames: ['a.example', 'b, URI:c'], commonName: 'cn' }),
  );
  expect(namesOf({ verified: true, thumbprint: 't', x509 })).toEqual({
    uris: ['spiffe://a/b', 'urn:x,y'],
    dnsNames: ['a.example', 'b, URI:c'],
    commonName: 'cn',
    thumbprint: 't',
  });
});
