import { type RateLimiterMemory } from 'rate-limiter-flexible';
import { type CallSeed } from '@a2a/a2a-core';
import {
  apiKeyScheme,
  type BasicUser,
  hashApiKey,
  hashPassword,
  httpBasicScheme,
  httpBearerScheme,
  mutualTlsScheme,
} from '../src/index.js';
import { AuthHost, bearer, headers } from './support/auth-host.js';
import { clientCertHeader, makeCertificate } from '../../../test/support/certificates.js';
import { FakeClock } from './support/fake-clock.js';
import { hostedAgent } from './support/hosted-agents.js';
import { IdentityProvider } from '../../../test/support/identity-provider.js';

const AUDIENCE = 'urn:agent:a';
const PROXY = '10.0.0.5';
const KEYS = [{ sha256: hashApiKey('right'), subject: 'robot' }];
const SERVICE = makeCertificate({ uris: ['spiffe://example.org/billing'], dnsNames: ['billing.example.org'], commonName: 'billing' });

describe('attacks on authentication', () => {
  let provider: IdentityProvider;
  let host: AuthHost;
  let users: BasicUser[];

  beforeAll(async () => {
    users = [
      { username: 'bob', passwordHash: await hashPassword('right') },
      { username: 'eve', passwordHash: await hashPassword('other') },
    ];
  });

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'clearTimeout', 'queueMicrotask', 'performance'] });
    provider = await IdentityProvider.start();
    const { issuer, jwksUri } = provider;
    const opaque = { issuer, clientId: 'host', clientSecret: 's3cret', introspectionUrl: `${issuer}/introspect` };
    host = await AuthHost.start(
      {
        clientCertificates: { trustedProxies: ['10.0.0.0/8', '::1'] },
        allowedOrigins: ['https://console.example.org'],
        schemes: {
          header: apiKeyScheme({ in: 'header', name: 'x-api-key', keys: KEYS }),
          query: apiKeyScheme({ in: 'query', name: 'apiKey', keys: KEYS }),
          cookie: apiKeyScheme({ in: 'cookie', name: 'session', keys: KEYS }),
          basic: httpBasicScheme({ users }),
          corporate: httpBearerScheme({ tokens: { jwt: { issuer, jwksUri } } }),
          opaque: httpBearerScheme({ tokens: { opaque } }),
          cert: mutualTlsScheme(),
        },
      },
      ['header', 'query', 'cookie', 'basic', 'corporate', 'opaque', 'cert']
        .map((id) => hostedAgent({ id, security: { requirements: [{ [id]: [] }], audience: AUDIENCE } }))
        .concat(hostedAgent({ id: 'open' }), hostedAgent({ id: 'demo', security: { anonymousOwner: 'shared' } })),
      { clock: new FakeClock() },
    );
  });

  afterEach(async () => {
    jest.useRealTimers();
    await host.stop();
    await provider.stop();
  });

  const at = (mount: string, seed: Partial<CallSeed> = {}) => host.call({ mount, ...seed });
  const query = (values: Record<string, string[]>): Pick<CallSeed, 'query'> => ({ query: new Map(Object.entries(values)) });
  const basic = (text: string) => headers({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

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
      const call = await host.call({ binding: 'GRPC', ...headers({ apikey: 'right' }) }, { agent: 'query' });
      expect(call.principal?.subject).toBe('robot');
    });

    it('takes a cookie from the metadata entry `cookie`', async () => {
      const call = await host.call({ binding: 'GRPC', ...headers({ cookie: 'a=b; session="right"' }) }, { agent: 'cookie' });
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

  describe('A19: opaque tokens', () => {
    const active = (more: Record<string, unknown> = {}) => ({
      active: true,
      sub: 'alice',
      aud: AUDIENCE,
      client_id: 'cli',
      scope: 'read',
      ...more,
    });

    it('are looked up at their issuer, once a minute', async () => {
      provider.opaqueTokens.set('good', active());
      const answers = await Promise.all([at('opaque', bearer('good')), at('opaque', bearer('good'))]);
      expect(answers.map(({ principal }) => principal?.subject)).toEqual(['alice', 'alice']);
      host.clock.advance(59_000);
      await at('opaque', bearer('good'));
      expect(provider.asked.get('/introspect')).toBe(1);
    });

    it('are refused a minute after they were revoked, at the latest', async () => {
      provider.opaqueTokens.set('good', active());
      await at('opaque', bearer('good'));
      provider.opaqueTokens.delete('good');
      host.clock.advance(60_000);
      expect((await at('opaque', bearer('good'))).error?.reason).toBe('UNAUTHENTICATED');
    });

    it('are not believed beyond their own exp', async () => {
      provider.opaqueTokens.set('short', active({ exp: host.clock.seconds + 10 }));
      expect((await at('opaque', bearer('short'))).principal?.expiresAtMs).toBe((host.clock.seconds + 10) * 1_000);
      provider.opaqueTokens.delete('short');
      host.clock.advance(10_000);
      expect((await at('opaque', bearer('short'))).error?.reason).toBe('UNAUTHENTICATED');
    });

    it('that are wrong are asked about again after five seconds only', async () => {
      await at('opaque', bearer('bad'));
      await at('opaque', bearer('bad'));
      expect(provider.asked.get('/introspect')).toBe(1);
      host.clock.advance(5_000);
      await at('opaque', bearer('bad'));
      expect(provider.asked.get('/introspect')).toBe(2);
    });

    it.each(['error', 'garbage', 'redirect', 'huge'] as const)(
      'are UNAVAILABLE, never wrong, while the issuer is down: %s',
      async (mood) => {
        provider.mood = mood;
        expect((await at('opaque', bearer('good'))).error?.reason).toBe('UNAVAILABLE');
      },
    );

    it('do not hammer an issuer that is down', async () => {
      provider.mood = 'error';
      await at('opaque', bearer('one'));
      await Promise.all(Array.from({ length: 20 }, (_, n) => at('opaque', bearer(`more-${n}`))));
      expect(provider.asked.get('/introspect')).toBe(1);
      provider.mood = 'well';
      provider.opaqueTokens.set('good', active());
      host.clock.advance(1_000);
      expect((await at('opaque', bearer('good'))).principal?.subject).toBe('alice');
    });

    it.each<[string, Record<string, unknown>]>([
      ['for another audience', active({ aud: 'urn:agent:b' })],
      ['for no audience', active({ aud: undefined })],
      ['of another issuer', active({ iss: 'https://other.example' })],
      ['not good yet', active({ nbf: 9_999_999_999 })],
      ['active by a word that is not true', active({ active: 'true' })],
      ['for nobody', active({ sub: undefined, client_id: undefined })],
    ])('are refused: %s', async (_name, answer) => {
      provider.opaqueTokens.set('odd', answer);
      expect((await at('opaque', bearer('odd'))).error?.reason).toBe('UNAUTHENTICATED');
    });

    it('without a subject belong to the client, whom no subject of that name can imitate', async () => {
      provider.opaqueTokens.set('client', active({ sub: undefined, client_id: 'robot' }));
      provider.opaqueTokens.set('user', active({ sub: 'robot' }));
      const [client, user] = [await at('opaque', bearer('client')), await at('opaque', bearer('user'))];
      expect(client.principal?.subject).toBe('robot');
      expect(user.principal?.subject).toBe('robot');
      expect(client.principal?.owner).not.toBe(user.principal?.owner);
    });
  });

  describe('A21: the certificate in a header', () => {
    const forwarded = headers({ 'client-cert': clientCertHeader(SERVICE) });

    it('counts from a trusted proxy', async () => {
      const { principal } = await at('cert', { ...forwarded, connectionAddress: PROXY });
      expect(principal?.subject).toBe('spiffe://example.org/billing');
    });

    it('counts from a trusted proxy that speaks IPv6, or IPv4 inside it', async () => {
      expect((await at('cert', { ...forwarded, connectionAddress: '::1' })).principal).toBeDefined();
      expect((await at('cert', { ...forwarded, connectionAddress: `::ffff:${PROXY}` })).principal).toBeDefined();
    });

    it.each(['203.0.113.7', '11.0.0.1', '::2', 'not an address', undefined])(
      'is as if it were not there from %s',
      async (connectionAddress) => {
        const { error } = await at('cert', { ...forwarded, connectionAddress });
        expect(error).toMatchObject({ reason: 'UNAUTHENTICATED', message: 'Authentication required' });
      },
    );

    it('cannot be vouched for by an address that another header claims', async () => {
      const seed = { ...forwarded, remoteAddress: PROXY, connectionAddress: '203.0.113.7' };
      expect((await at('cert', seed)).error?.reason).toBe('UNAUTHENTICATED');
    });

    it.each([':not base64:', 'MIIB', ':AAAA:', ''])('proves nothing when it cannot be read: %s', async (value) => {
      const seed = { ...headers({ 'client-cert': value }), connectionAddress: PROXY };
      expect((await at('cert', seed)).error?.reason).toBe('UNAUTHENTICATED');
    });
  });

  describe('A22: certificates that prove nothing', () => {
    it.each<[string, Buffer, boolean]>([
      ['from an unknown authority', SERVICE, false],
      ['expired', makeCertificate({ uris: ['spiffe://x'], notAfter: new Date('2026-01-01T00:00:00Z') }), true],
      ['not good yet', makeCertificate({ uris: ['spiffe://x'], notBefore: new Date('2030-01-01T00:00:00Z') }), true],
      ['with a common name only', makeCertificate({ commonName: 'admin' }), true],
    ])('%s', async (_name, der, verified) => {
      expect((await at('cert', { peerCertificate: { der, verified } })).error?.reason).toBe('UNAUTHENTICATED');
    });

    it('uses a DNS name where there is no URI name', async () => {
      const der = makeCertificate({ dnsNames: ['billing.example.org'] });
      expect((await at('cert', { peerCertificate: { der, verified: true } })).principal?.subject).toBe('billing.example.org');
    });

    it('does not split a name at a comma that the certificate smuggles in', async () => {
      const der = makeCertificate({ dnsNames: ['evil.example, URI:spiffe://example.org/billing'] });
      expect((await at('cert', { peerCertificate: { der, verified: true } })).principal?.subject).not.toBe('spiffe://example.org/billing');
    });
  });

  describe('A23: guessing keys', () => {
    const guess = (times: number, remoteAddress?: string) =>
      Promise.all(Array.from({ length: times }, (_, n) => at('header', { ...headers({ 'x-api-key': `guess-${n}` }), remoteAddress })));

    it('is UNAUTHENTICATED thirty times, then RATE_LIMITED for a minute, right key or not', async () => {
      const errors = await guess(30, '198.51.100.1');
      expect(new Set(errors.map(({ error }) => error?.reason))).toEqual(new Set(['UNAUTHENTICATED']));
      const right = { ...headers({ 'x-api-key': 'right' }), remoteAddress: '198.51.100.1' };
      expect((await at('header', right)).error).toMatchObject({ reason: 'RATE_LIMITED', details: { retryAfterSeconds: 60 } });
      jest.setSystemTime(Date.now() + 61_000);
      expect((await at('header', right)).principal?.subject).toBe('robot');
    });

    it('waits a minute longer after each further failure, up to fifteen', async () => {
      await guess(30, '198.51.100.2');
      const waits: (number | undefined)[] = [];
      for (let round = 0; round < 16; round++) {
        const { error } = (await guess(1, '198.51.100.2'))[0]!;
        waits.push(error?.details.retryAfterSeconds);
        jest.setSystemTime(Date.now() + ((error?.details.retryAfterSeconds ?? 0) + 1) * 1_000);
        await guess(1, '198.51.100.2');
      }
      expect(waits.slice(0, 4)).toEqual([60, 120, 180, 240]);
      expect(waits.at(-1)).toBe(900);
    });

    it('is UNAVAILABLE while the shared count cannot be read, never open', async () => {
      const broken = { get: () => Promise.reject(new Error('redis is down')) } as unknown as RateLimiterMemory;
      const shared = await AuthHost.start(
        { authFailures: { waitStore: broken }, schemes: { key: apiKeyScheme({ in: 'header', name: 'x-api-key', keys: KEYS }) } },
        [hostedAgent({ id: 'a', security: { requirements: [{ key: [] }] } })],
      );
      expect((await shared.call(headers({ 'x-api-key': 'right' }))).error?.reason).toBe('UNAVAILABLE');
      await shared.stop();
    });

    it('does not hold up other addresses, nor callers who never fail', async () => {
      await guess(40, '198.51.100.3');
      expect((await at('header', { ...headers({ 'x-api-key': 'right' }), remoteAddress: '198.51.100.4' })).principal).toBeDefined();
    });

    it('counts a whole /64 as one address', async () => {
      for (let n = 0; n < 30; n++) await guess(1, `2001:db8::${n.toString(16)}`);
      expect((await guess(1, '2001:db8::ffff'))[0]?.error?.reason).toBe('RATE_LIMITED');
      expect((await guess(1, '2001:db8:0:1::1'))[0]?.error?.reason).toBe('UNAUTHENTICATED');
    });
  });

  describe('A24: guessing passwords', () => {
    it('is limited for the user name within the address, and locks nobody out elsewhere', async () => {
      for (let n = 0; n < 30; n++) await at('basic', basic(`bob:guess-${n}`));
      expect((await at('basic', basic('bob:right'))).error?.reason).toBe('RATE_LIMITED');
      expect((await at('basic', basic('eve:other'))).principal?.subject).toBe('eve');
      expect((await at('basic', { ...basic('bob:right'), remoteAddress: '198.51.100.9' })).principal?.subject).toBe('bob');
    });

    it('forgets failures once the right password came', async () => {
      for (let n = 0; n < 29; n++) await at('basic', basic(`bob:guess-${n}`));
      await at('basic', basic('bob:right'));
      await at('basic', basic('bob:guess'));
      expect((await at('basic', basic('bob:right'))).principal?.subject).toBe('bob');
    });

    it('answers an unknown user like a wrong password', async () => {
      const [unknown, wrong] = [await at('basic', basic('nobody:x')), await at('basic', basic('bob:x'))];
      expect(unknown.error?.details).toEqual(wrong.error?.details);
      expect(unknown.error?.details.challenges).toEqual(['Basic realm="basic", charset="UTF-8"']);
    });

    it.each(['%%%', Buffer.from('no colon').toString('base64'), Buffer.from([0xff, 0xfe, 0x3a]).toString('base64'), ''])(
      'cannot read %s and says INVALID_REQUEST',
      async (value) => {
        expect((await at('basic', headers({ authorization: `Basic ${value}` }))).error?.reason).toBe('INVALID_REQUEST');
      },
    );
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

  describe('A26: callers without credentials', () => {
    const ownerOf = async (seed: Partial<CallSeed>, mount = 'open') => (await at(mount, seed)).principal?.owner;
    const session = headers({ 'a2a-anonymous-session': 'q7Vb0m1x2c3v4b5n6m7A8s' });

    it('do not share an owner', async () => {
      expect(await ownerOf({})).not.toBe(await ownerOf({}));
      expect(await ownerOf({ connectionId: 'one' })).not.toBe(await ownerOf({ connectionId: 'two' }));
    });

    it('own what they made on the same connection, or under the same secret of their own', async () => {
      expect(await ownerOf({ connectionId: 'one' })).toBe(await ownerOf({ connectionId: 'one' }));
      expect(await ownerOf({ ...session, connectionId: 'one' })).toBe(await ownerOf({ ...session, connectionId: 'two' }));
    });

    it('cannot choose a secret that others would guess', async () => {
      const short = headers({ 'a2a-anonymous-session': 'me' });
      expect(await ownerOf(short)).not.toBe(await ownerOf(short));
    });

    it('cannot reach another kind of owner', async () => {
      const owners = [await ownerOf(session), await ownerOf({ connectionId: 'q7Vb0m1x2c3v4b5n6m7A8s' })];
      expect(new Set(owners).size).toBe(2);
      expect(owners.every((owner) => owner?.startsWith('anon_'))).toBe(true);
    });

    it('share one owner where an agent says so', async () => {
      expect(await ownerOf({}, 'demo')).toBe('anonymous');
    });
  });

  it('hands on no credential: headers, parameters and certificate are gone', async () => {
    const secret = { authorization: 'Bearer x', cookie: 'session=right', 'x-api-key': 'right', 'client-cert': ':AA==:', apikey: 'right' };
    const call = await host.identify({
      mount: 'header',
      ...headers({ ...secret, 'a2a-version': '1.0' }),
      ...query({ apiKey: ['right'] }),
      peerCertificate: { der: SERVICE, verified: true },
    });
    expect([...call.headers]).toEqual([['a2a-version', '1.0']]);
    expect(call.query).toBeUndefined();
    expect(call.peerCertificate).toBeUndefined();
    expect(JSON.stringify(host.logger.lines)).not.toContain('right');
  });

  it('refuses an agent that is not there no sooner than the registry does', async () => {
    expect((await host.call({ mount: 'nobody' })).error?.reason).toBe('ROUTE_NOT_FOUND');
  });
});
