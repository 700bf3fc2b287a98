import { type CallSeed } from '@a2a/a2a-core';
import { apiKeyScheme } from '../src/index.js';
import { makeCertificate } from '../../../test/support/certificates.js';
import { KEYS, query, useAttackedHost } from './support/attacked-host.js';
import { AuthHost, headers } from './support/auth-host.js';
import { hostedAgent } from './support/hosted-agents.js';

const SERVICE = makeCertificate({ uris: ['spiffe://example.org/billing'], dnsNames: ['billing.example.org'], commonName: 'billing' });

const { host, at } = useAttackedHost();

describe('A16: credentials given twice are INVALID_REQUEST before anything is verified', () => {
  it.each<[string, string, Partial<CallSeed>]>([
    [
      'two Authorization headers',
      'corporate',
      { ...headers({ authorization: 'Bearer a, Bearer b' }), repeatedHeaders: new Set(['authorization']) },
    ],
    [
      'two key headers, the first of them right',
      'header',
      { ...headers({ 'x-api-key': 'right, wrong' }), repeatedHeaders: new Set(['x-api-key']) },
    ],
    ['two key parameters', 'query', query({ apiKey: ['right', 'wrong'] })],
    ['two cookies of one name', 'cookie', headers({ cookie: 'session=right; session=wrong' })],
  ])('%s', async (_name, mount, seed) => {
    expect((await at(mount, seed)).error).toMatchObject({ reason: 'INVALID_REQUEST', message: 'Credentials are given more than once' });
  });

  it('leaves repeated headers alone that carry no credentials of the agent', async () => {
    const seed = { ...headers({ 'x-api-key': 'right', 'x-trace': 'a, b' }), repeatedHeaders: new Set(['x-trace']) };
    expect((await at('header', seed)).principal?.subject).toBe('robot');
  });
});

describe('A18: a credential counts only where its scheme says it stands', () => {
  it.each<[string, string, Partial<CallSeed>]>([
    ['a token as a parameter', 'corporate', query({ access_token: ['anything'] })],
    ['a header key as a parameter', 'header', query({ 'x-api-key': ['right'] })],
    ['a parameter key as a header', 'query', headers({ apikey: 'right' })],
    ['a parameter of another case', 'query', query({ APIKEY: ['right'] })],
    ['a cookie key as a header', 'cookie', headers({ session: 'right' })],
  ])('%s is absent', async (_name, mount, seed) => {
    expect((await at(mount, seed)).error).toMatchObject({ reason: 'UNAUTHENTICATED', message: 'Authentication required' });
  });

  it('takes a declared parameter from the metadata of the same name where a wire has no parameters', async () => {
    const call = await host().call({ binding: 'GRPC', ...headers({ apikey: 'right' }) }, { agent: 'query' });
    expect(call.principal?.subject).toBe('robot');
  });

  it('takes a cookie from the metadata entry `cookie`', async () => {
    const call = await host().call({ binding: 'GRPC', ...headers({ cookie: 'a=b; session="right"' }) }, { agent: 'cookie' });
    expect(call.principal?.subject).toBe('robot');
  });

  it('reads no prototype for a parameter or cookie', async () => {
    const odd = await AuthHost.start({ schemes: { odd: apiKeyScheme({ in: 'cookie', name: 'constructor', keys: KEYS }) } }, [
      hostedAgent({ id: 'odd', security: { requirements: [{ odd: [] }] } }),
    ]);
    expect((await odd.call(headers({ cookie: '__proto__=x' }))).error?.message).toBe('Authentication required');
    await odd.stop();
  });
});

describe('A25: a cookie that a browser added for a foreign page', () => {
  const cookie = { cookie: 'session=right', host: 'agents.example.org' };

  it.each<[string, Record<string, string>]>([
    ['cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['a foreign Origin in an old browser', { origin: 'https://evil.example' }],
    ['no origin at all', { origin: 'null' }],
    ['an allowed origin with something after it', { origin: 'https://console.example.org.evil.example', 'sec-fetch-site': 'cross-site' }],
  ])('is PERMISSION_DENIED: %s', async (_name, more) => {
    expect((await at('cookie', headers({ ...cookie, ...more }))).error?.reason).toBe('PERMISSION_DENIED');
  });

  it.each<[string, Record<string, string>]>([
    ['a page of this host', { 'sec-fetch-site': 'same-origin', origin: 'https://agents.example.org' }],
    ['a page of this host in an old browser', { origin: 'https://agents.example.org' }],
    ['an allowed origin', { 'sec-fetch-site': 'cross-site', origin: 'https://console.example.org' }],
    ['no browser', {}],
  ])('is taken from %s', async (_name, more) => {
    expect((await at('cookie', headers({ ...cookie, ...more }))).principal?.subject).toBe('robot');
  });
});

describe('a call', () => {
  it('hands on no credential: headers, parameters and certificate are gone', async () => {
    const secret = { authorization: 'Bearer x', cookie: 'session=right', 'x-api-key': 'right', 'client-cert': ':AA==:', apikey: 'right' };
    const call = await host().identify({
      mount: 'header',
      ...headers({ ...secret, 'a2a-version': '1.0' }),
      ...query({ apiKey: ['right'] }),
      peerCertificate: { der: SERVICE, verified: true },
    });
    expect([...call.headers]).toEqual([['a2a-version', '1.0']]);
    expect(call.query).toBeUndefined();
    expect(call.peerCertificate).toBeUndefined();
    expect(JSON.stringify(host().logger.lines)).not.toContain('right');
  });

  it('refuses an agent that is not there no sooner than the registry does', async () => {
    expect((await host().call({ mount: 'nobody' })).error?.reason).toBe('ROUTE_NOT_FOUND');
  });
});
