import { type HostedAgent, type Principal, type SkillOptions } from '@a2a/a2a-core';
import { type AuthHost, bearer } from './support/auth-host.js';
import { AUDIENCE, CERTIFICATE, key, useAuthorizingHosts } from './support/authorizing-host.js';
import { hostedAgent } from './support/hosted-agents.js';

const { start, token } = useAuthorizingHosts();

describe('skills [SEC-13]', () => {
  const SKILLS: readonly Partial<SkillOptions>[] = [
    { id: 'plain' },
    { id: 'refund', scopes: ['billing.write'] },
    { id: 'transfer', security: [{ cert: [] }] },
    { id: 'either', security: [{ cert: [] }, { corporate: ['vip'] }] },
  ];
  const skillOf = (agent: HostedAgent, id: string) => agent.skills.find(({ options }) => options.id === id)!;

  async function use(host: AuthHost, principal: Principal | undefined, id: string) {
    const agent = host.agent('a');
    if (!principal) throw new Error('The caller was refused');
    return host.skills.check({ agent, skill: skillOf(agent, id), principal, tenant: '' }).catch((error: unknown) => error);
  }

  const agentWithSkills = () =>
    hostedAgent({ id: 'a', security: { requirements: [{ corporate: ['use'] }, { key: [] }], audience: AUDIENCE } }, SKILLS);

  it('ask nothing beside the agent by default', async () => {
    const host = await start([agentWithSkills()]);
    const { principal } = await host.call(key('acme'));
    expect(await use(host, principal, 'plain')).toBeUndefined();
  });

  it('B14: name the scope that is missing', async () => {
    const host = await start([agentWithSkills()]);
    const { principal } = await host.call(bearer(await token(host, { scope: 'use' })));
    expect(await use(host, principal, 'refund')).toMatchObject({
      reason: 'PERMISSION_DENIED',
      details: { metadata: { scope: 'billing.write' } },
    });
    const granted = await host.call(bearer(await token(host, { scope: 'use billing.write' })));
    expect(await use(host, granted.principal, 'refund')).toBeUndefined();
  });

  it('are added to the agent, never put in its place', async () => {
    const host = await start([agentWithSkills()]);
    const certOnly = { peerCertificate: { der: CERTIFICATE, verified: true } };
    expect((await host.call(certOnly)).error?.reason).toBe('UNAUTHENTICATED');
    const both = await host.call({ ...key('acme'), ...certOnly });
    expect(await use(host, both.principal, 'transfer')).toBeUndefined();
    const keyOnly = await host.call(key('acme'));
    expect(await use(host, keyOnly.principal, 'transfer')).toMatchObject({
      reason: 'PERMISSION_DENIED',
      details: { challenges: ['MutualTLS realm="a"'] },
    });
  });

  it('are satisfied by any one of their alternatives', async () => {
    const host = await start([agentWithSkills()]);
    const vip = await host.call(bearer(await token(host, { scope: 'use vip' })));
    expect(await use(host, vip.principal, 'either')).toBeUndefined();
    const common = await host.call(bearer(await token(host, { scope: 'use' })));
    expect(await use(host, common.principal, 'either')).toMatchObject({
      reason: 'PERMISSION_DENIED',
      details: { metadata: { scope: 'vip' } },
    });
  });

  it('can be listed for one caller', async () => {
    const host = await start([agentWithSkills()]);
    const agent = host.agent('a');
    const { principal } = await host.call(bearer(await token(host, { scope: 'use vip' })));
    const allowed = await Promise.all(
      agent.skills.map((skill) => host.skills.isAllowed({ agent, skill, principal: principal!, tenant: '' })),
    );
    expect(agent.skills.filter((_, n) => allowed[n]).map(({ options }) => options.id)).toEqual(['plain', 'either']);
  });

  it('of an open agent know a caller that shows credentials, and do not ask others for any', async () => {
    const host = await start([hostedAgent({ id: 'a', security: { audience: AUDIENCE } }, SKILLS.slice(2))]);
    const anonymous = await host.call({});
    expect(anonymous.principal?.authenticated).toBe(false);
    expect(await use(host, anonymous.principal, 'either')).toMatchObject({ reason: 'UNAUTHENTICATED' });
    const vip = await host.call(bearer(await token(host, { scope: 'vip' })));
    expect(await use(host, vip.principal, 'either')).toBeUndefined();
    expect((await host.call(bearer(await token(host, { exp: 1 })))).error?.reason).toBe('UNAUTHENTICATED');
  });

  it('judge a principal that carries no grants as one without any', async () => {
    const host = await start([agentWithSkills()]);
    const { principal } = await host.call(bearer(await token(host, { scope: 'use vip' })));
    expect(await use(host, { ...principal!, grants: undefined }, 'either')).toMatchObject({ reason: 'PERMISSION_DENIED' });
  });
});
