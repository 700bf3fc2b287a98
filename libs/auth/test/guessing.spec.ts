import { RateLimiterMemory } from 'rate-limiter-flexible';
import { BasicUserStore, httpBasicScheme, httpBearerScheme } from '../src/index.js';
import { AuthHost, bearer, headers } from './support/auth-host.js';
import { hostedAgent } from './support/hosted-agents.js';
import { IdentityProvider } from '../../../test/support/identity-provider.js';

const AUDIENCE = 'urn:agent:a';

/** A directory that answers later, as every real one does, and knows nobody. */
class DirectoryElsewhere extends BasicUserStore {
  asked = 0;

  async verify(): Promise<undefined> {
    this.asked += 1;
    await new Promise((resolve) => setImmediate(resolve));
    return undefined;
  }
}

describe('guessing at the same time [A24] [SEC-14]', () => {
  it('gives nobody more guesses than guessing one after the other', async () => {
    const directory = new DirectoryElsewhere();
    const host = await AuthHost.start(
      { schemes: { password: httpBasicScheme({ users: DirectoryElsewhere }) } },
      [hostedAgent({ id: 'a', security: { requirements: [{ password: [] }] } })],
      { providers: [{ provide: DirectoryElsewhere, useValue: directory }] },
    );
    const guess = (n: number) => host.call(headers({ authorization: `Basic ${Buffer.from(`bob:guess-${n}`).toString('base64')}` }));
    const guesses = await Promise.all(Array.from({ length: 200 }, (_, n) => guess(n)));
    const reasons = guesses.map(({ error }) => error?.reason);
    expect(directory.asked).toBe(30);
    expect(reasons.filter((reason) => reason === 'UNAUTHENTICATED')).toHaveLength(directory.asked);
    expect(reasons.filter((reason) => reason === 'RATE_LIMITED')).toHaveLength(200 - directory.asked);
    await host.stop();
  });
});

/** A store of replicas that is away. */
class StoreThatIsAway extends RateLimiterMemory {
  override penalty(): Promise<never> {
    return Promise.reject(new Error('the store is away'));
  }
}

describe('a store of failures that is away', () => {
  it('keeps no turn of a call whose secrets were wrong in two ways [A24]', async () => {
    const directory = new DirectoryElsewhere();
    const users = httpBasicScheme({ users: DirectoryElsewhere });
    const failureStore = new StoreThatIsAway({ points: 1, duration: 60 });
    const host = await AuthHost.start(
      { schemes: { password: users, other: users }, authFailures: { failures: 1, failureStore } },
      [hostedAgent({ id: 'a', security: { requirements: [{ password: [] }, { other: [] }] } })],
      { providers: [{ provide: DirectoryElsewhere, useValue: directory }] },
    );
    const guess = () => host.call(headers({ authorization: `Basic ${Buffer.from('bob:guess').toString('base64')}` }));
    for (let n = 0; n < 3; n++) await expect(guess()).rejects.toThrow('the store is away');
    expect(directory.asked).toBe(6);
    await host.stop();
  });
});

describe('a token that one of two schemes knows', () => {
  let provider: IdentityProvider;
  let other: IdentityProvider;
  let host: AuthHost;

  beforeAll(async () => {
    [provider, other] = [await IdentityProvider.start(), await IdentityProvider.start()];
    const opaqueBy = ({ issuer }: IdentityProvider) => ({
      opaque: { issuer, introspectionUrl: `${issuer}/introspect`, clientId: 'host', clientSecret: 's3cret' },
    });
    const { issuer, jwksUri } = provider;
    const schemes = {
      signed: httpBearerScheme({ tokens: { jwt: { issuer, jwksUri } } }),
      opaque: httpBearerScheme({ tokens: opaqueBy(provider) }),
      foreign: httpBearerScheme({ tokens: opaqueBy(other) }),
    };
    host = await AuthHost.start({ schemes }, [
      hostedAgent({ id: 'a', security: { requirements: [{ signed: [] }, { opaque: [] }, { foreign: [] }], audience: AUDIENCE } }),
      hostedAgent({ id: 'b', security: { requirements: [{ foreign: [] }, { opaque: [] }, { signed: [] }], audience: AUDIENCE } }),
    ]);
  });
  afterAll(async () => {
    await host.stop();
    await Promise.all([provider.stop(), other.stop()]);
  });

  const at = (agent: string, token: string) => host.call({ mount: agent, ...bearer(token) }, { agent });
  const signed = (jti: string) => provider.token(host.clock.seconds, { jti });

  it.each(['a', 'b'])('is no wrong secret of the others: nobody behind its address has to wait for it, at %s [A23]', async (agent) => {
    for (const [issuer, token] of [
      [provider, 'mine'],
      [other, 'theirs'],
    ] as const) {
      issuer.opaqueTokens.set(token, { active: true, sub: `user of ${token}`, aud: AUDIENCE });
    }
    for (let n = 0; n < 40; n++) {
      expect((await at(agent, await signed(`${agent} ${n}`))).principal?.subject).toBe('alice');
      expect((await at(agent, 'mine')).principal?.subject).toBe('user of mine');
      expect((await at(agent, 'theirs')).principal?.subject).toBe('user of theirs');
    }
  });

  it('is not shown to an issuer that did not make it', async () => {
    const before = other.asked.get('/introspect');
    expect((await at('a', await signed('for its issuer'))).principal?.subject).toBe('alice');
    expect(other.asked.get('/introspect')).toBe(before);
  });

  it('that none of them knows is a wrong secret all the same [A23]', async () => {
    for (let n = 0; n < 30; n++) expect((await at('a', `guess-${n}`)).error?.reason).toBe('UNAUTHENTICATED');
    expect((await at('a', 'another guess')).error?.reason).toBe('RATE_LIMITED');
    expect((await at('a', await signed('still welcome'))).principal?.subject).toBe('alice');
  });
});
