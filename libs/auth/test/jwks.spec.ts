import { type A2aError } from '@a2a/a2a-core';
import { comesWithin } from '../../../test/support/comes-within.js';
import { httpBearerScheme } from '../src/index.js';
import { AuthHost, bearer } from './support/auth-host.js';
import { hostedAgent } from './support/hosted-agents.js';
import { IdentityProvider, type Mood } from '../../../test/support/identity-provider.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('keys of an issuer', () => {
  let provider: IdentityProvider;
  let host: AuthHost;

  beforeEach(async () => {
    provider = await IdentityProvider.start();
    const tokens = { jwt: { issuer: provider.issuer, jwksUri: provider.jwksUri } };
    host = await AuthHost.start({ schemes: { corporate: httpBearerScheme({ tokens }) } }, [
      hostedAgent({ id: 'a', security: { requirements: [{ corporate: [] }], audience: 'urn:agent:a' } }),
    ]);
  });

  afterEach(async () => {
    await host.stop();
    await provider.stop();
  });

  const token = (header: Record<string, unknown> = {}, key = provider.keys[0]): Promise<string> =>
    provider.token(host.clock.seconds, {}, header, key);
  const errorFor = async (text: string): Promise<A2aError | undefined> => (await host.call(bearer(text))).error;
  const flood = async (count: number): Promise<(A2aError | undefined)[]> => {
    const tokens = await Promise.all(Array.from({ length: count }, (_, n) => token({ kid: `random-${n}` })));
    return Promise.all(tokens.map(errorFor));
  };

  it('fetches once for any number of callers at the start', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => token()));
    const answers = await Promise.all(tokens.map((text) => host.call(bearer(text))));
    expect(answers.every(({ principal }) => principal?.subject === 'alice')).toBe(true);
    expect(provider.fetches).toBe(1);
  });

  describe('under a flood of random key ids [A12]', () => {
    it('answers every token, fetches once in 30 seconds, and valid callers notice nothing', async () => {
      await host.call(bearer(await token()));
      host.clock.advance(31 * SECOND);
      const errors = await flood(500);
      expect(errors.map((error) => error?.reason)).toEqual(Array.from({ length: 500 }, () => 'UNAUTHENTICATED'));
      expect(provider.fetches).toBe(2);
      expect(await errorFor(await token())).toBeUndefined();
    });

    it('takes a key rotated in during the flood after 30 seconds at most [A14]', async () => {
      await host.call(bearer(await token()));
      host.clock.advance(31 * SECOND);
      await flood(50);
      const key = await provider.addKey('ES256', 'new');
      expect(await errorFor(await token({}, key))).toMatchObject({ reason: 'UNAUTHENTICATED' });
      host.clock.advance(30 * SECOND);
      expect(await errorFor(await token({}, key))).toBeUndefined();
    });
  });

  describe('while the issuer cannot be asked [A13]', () => {
    it.each<Mood>(['error', 'garbage', 'redirect', 'huge', 'crowded'])(
      'is UNAVAILABLE and never UNAUTHENTICATED when cold: %s',
      async (mood) => {
        provider.mood = mood;
        expect(await errorFor(await token())).toMatchObject({ reason: 'UNAVAILABLE', details: { retryAfterSeconds: 5 } });
        expect(provider.asked.get('/elsewhere')).toBeUndefined();
      },
    );

    it('does not wait longer than two seconds for an issuer that hangs', async () => {
      provider.mood = 'hang';
      expect(await comesWithin(4_000, errorFor(await token()))).toBe(true);
      expect(await errorFor(await token())).toMatchObject({ reason: 'UNAVAILABLE' });
    });

    it('tells the operator why', async () => {
      provider.mood = 'error';
      await host.call(bearer(await token()));
      expect(host.logger.lines.at(-1)).toContain(`${provider.jwksUri} answered 500`);
    });

    it('asks again only after 30 seconds, and recovers then', async () => {
      provider.mood = 'error';
      await flood(20);
      expect(provider.fetches).toBe(1);
      provider.mood = 'well';
      expect(await errorFor(await token())).toMatchObject({ reason: 'UNAVAILABLE' });
      host.clock.advance(30 * SECOND);
      expect(await errorFor(await token())).toBeUndefined();
    });

    it('believes the keys it has for 24 hours, and not longer', async () => {
      await host.call(bearer(await token()));
      provider.mood = 'error';
      host.clock.advance(23 * HOUR);
      expect(await errorFor(await token())).toBeUndefined();
      host.clock.advance(HOUR + 1);
      expect(await errorFor(await token())).toMatchObject({ reason: 'UNAVAILABLE' });
    });

    it('cannot tell an unknown key from a new one, and says so', async () => {
      await host.call(bearer(await token()));
      provider.mood = 'error';
      host.clock.advance(31 * SECOND);
      expect(await errorFor(await token({ kid: 'perhaps-new' }))).toMatchObject({ reason: 'UNAVAILABLE' });
    });
  });

  it('lets a key die ten minutes after it was last published [A14]', async () => {
    const old = provider.keys[0];
    await host.call(bearer(await token()));
    await provider.addKey('ES256', 'next');
    provider.removeKey('key-1');
    host.clock.advance(10 * MINUTE + 1);
    expect(await errorFor(await token({}, old))).toMatchObject({ reason: 'UNAUTHENTICATED' });
  });

  it('refreshes in the background after five minutes, without making anybody wait', async () => {
    await host.call(bearer(await token()));
    host.clock.advance(5 * MINUTE + 1);
    provider.mood = 'hang';
    const answer = errorFor(await token());
    expect(await comesWithin(1_000, answer)).toBe(true);
    expect(await answer).toBeUndefined();
  });

  it('forgets a compromised key at once when the operator says so, with one fetch [A15]', async () => {
    const stolen = provider.keys[0];
    await host.call(bearer(await token()));
    await provider.addKey('ES256', 'next');
    provider.removeKey('key-1');
    const fetches = provider.fetches;
    await host.providers.reloadKeys();
    expect(provider.fetches).toBe(fetches + 1);
    expect(await errorFor(await token({}, stolen))).toMatchObject({ reason: 'UNAUTHENTICATED' });
    expect(await errorFor(await token())).toBeUndefined();
  });

  it('has no key at all when the operator reloads and the issuer is down [A15]', async () => {
    await host.call(bearer(await token()));
    provider.mood = 'error';
    await expect(host.providers.reloadKeys()).rejects.toThrow('Not all key sets');
    expect(await errorFor(await token())).toMatchObject({ reason: 'UNAVAILABLE' });
  });

  it('takes a token without kid when the issuer has one key only', async () => {
    expect(await errorFor(await token({ kid: undefined }))).toBeUndefined();
  });

  it('does not see symmetric or private keys that an issuer publishes by mistake', async () => {
    const secret = {
      kid: 'oct',
      alg: 'HS256',
      privateKey: provider.keys[0]!.privateKey,
      publicJwk: { kty: 'oct', k: 'c2VjcmV0', kid: 'oct', alg: 'HS256' },
    };
    provider.keys.push(secret);
    expect(await errorFor(await token({ kid: 'oct' }))).toMatchObject({ reason: 'UNAUTHENTICATED' });
    expect(await errorFor(await token({ kid: undefined }))).toBeUndefined();
  });
});
