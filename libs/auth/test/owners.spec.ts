import { httpBearerScheme } from '../src/index.js';
import { bearer } from './support/auth-host.js';
import { key, protectedAgent, useAuthorizingHosts } from './support/authorizing-host.js';

const { provider, start, token } = useAuthorizingHosts();

describe('owners [SEC-15]', () => {
  it('B17: differ for one subject at two kinds of schemes, and for every other pair', async () => {
    const host = await start([protectedAgent()]);
    const owners = await Promise.all([
      host.call(bearer(await token(host, { sub: 'robot' }))),
      host.call(key('acme')),
      host.call(bearer(await token(host, { sub: 'robot|x' }))),
      host.call(bearer(await token(host, { sub: 'anonymous' }))),
      host.call(bearer(await token(host, { sub: 'unknown' }))),
    ]);
    expect(new Set(owners.map(({ principal }) => principal?.owner)).size).toBe(5);
    expect(owners.every(({ principal }) => /^u_[A-Za-z0-9_-]{43}$/.test(principal?.owner ?? ''))).toBe(true);
  });

  it('stay the same for new tokens, other scopes and another display name', async () => {
    const host = await start([protectedAgent()]);
    const [first, second] = [await token(host), await token(host, { scope: 'more', name: 'Alice', client_id: 'web', jti: 'x' })];
    const owner = (await host.call(bearer(first))).principal?.owner;
    expect((await host.call(bearer(second))).principal?.owner).toBe(owner);
  });

  it('differ for each client where the scheme says so', async () => {
    const { issuer, jwksUri } = provider();
    const host = await start([protectedAgent({ requirements: [{ corporate: [] }] })], {
      schemes: { corporate: httpBearerScheme({ tokens: { jwt: { issuer, jwksUri, ownedByClient: true } } }) },
    });
    const owners = await Promise.all(['web', 'cli'].map(async (client_id) => host.call(bearer(await token(host, { client_id })))));
    expect(owners[0]?.principal?.owner).not.toBe(owners[1]?.principal?.owner);
  });

  it('B18: know when the credential ends, clocks that differ included', async () => {
    const host = await start([protectedAgent()]);
    const { principal } = await host.call(bearer(await token(host)));
    expect(principal?.expiresAtMs).toBe((host.clock.seconds + 300 + 10) * 1_000);
  });
});
