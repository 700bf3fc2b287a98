import { type AgentSecurity, type HostedAgent, type OperationName, OPERATIONS, type Principal, type SkillOptions } from '@a2a/a2a-core';
import { Injectable } from '@nestjs/common';
import {
  A2A_OPERATION_SCOPES,
  type A2aAuthOptions,
  AccessPolicy,
  type AccessQuestion,
  type AccessVerdict,
  apiKeyScheme,
  hashApiKey,
  httpBearerScheme,
  mutualTlsScheme,
} from '../src/index.js';
import { AuthHost, bearer, headers } from './support/auth-host.js';
import { makeCertificate } from '../../../test/support/certificates.js';
import { hostedAgent } from './support/hosted-agents.js';
import { IdentityProvider } from '../../../test/support/identity-provider.js';

const AUDIENCE = 'urn:agent:a';
const CERTIFICATE = makeCertificate({ uris: ['spiffe://example.org/billing'] });

/** Opens what ends in `open`, hides what ends in `hidden`, and breaks on `broken`. */
@Injectable()
class BySuffix extends AccessPolicy {
  readonly asked: AccessQuestion[] = [];

  decide(question: AccessQuestion): AccessVerdict {
    this.asked.push(question);
    const name = question.taskId ?? question.skillId ?? '';
    if (name.endsWith('broken')) throw new Error('the rule engine is down');
    if (name.endsWith('hidden')) return 'hide';
    return name.endsWith('denied') ? 'deny' : 'allow';
  }
}

describe('authorization', () => {
  let provider: IdentityProvider;
  const hosts: AuthHost[] = [];

  beforeAll(async () => {
    provider = await IdentityProvider.start();
  });

  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((host) => host.stop()));
  });

  afterAll(() => provider.stop());

  async function start(agents: readonly HostedAgent[], options: A2aAuthOptions = {}): Promise<AuthHost> {
    const { issuer, jwksUri } = provider;
    const host = await AuthHost.start(
      {
        schemes: {
          corporate: httpBearerScheme({ tokens: { jwt: { issuer, jwksUri, tenants: ['org', 'tenants'] } } }),
          key: apiKeyScheme({
            in: 'header',
            name: 'x-api-key',
            keys: [
              { sha256: hashApiKey('acme'), subject: 'robot', tenants: ['acme', 'globex'] },
              { sha256: hashApiKey('loner'), subject: 'loner' },
            ],
          }),
          cert: mutualTlsScheme({ grant: () => ({ tenants: ['globex', 'initech'] }) }),
        },
        ...options,
      },
      agents,
    );
    hosts.push(host);
    return host;
  }

  const protectedAgent = (more: Partial<AgentSecurity> = {}) =>
    hostedAgent({
      id: 'a',
      extendedAgentCard: true,
      security: { requirements: [{ corporate: [] }, { key: [] }], audience: AUDIENCE, ...more },
    });
  const token = (host: AuthHost, claims: Record<string, unknown> = {}) => provider.token(host.clock.seconds, claims);
  const key = (value: string) => headers({ 'x-api-key': value });

  describe('tenants [TEN-06]', () => {
    const TASK_OPERATIONS: OperationName[] = ['GetTask', 'CancelTask', 'SubscribeToTask', 'CreateTaskPushNotificationConfig'];

    it.each(TASK_OPERATIONS)('B11: a foreign tenant is TASK_NOT_FOUND for %s, like an absent task', async (operation) => {
      const host = await start([protectedAgent()]);
      const [foreign, unknown] = await Promise.all(
        ['initech', 'no-such-tenant'].map((tenant) => host.call(key('acme'), { tenant, operation, taskId: 't-1' })),
      );
      expect(foreign?.error).toMatchObject({
        reason: 'TASK_NOT_FOUND',
        message: 'Task not found',
        details: { metadata: { taskId: 't-1' } },
      });
      expect({ ...foreign?.error, stack: '' }).toEqual({ ...unknown?.error, stack: '' });
    });

    it.each<OperationName>(['SendMessage', 'SendStreamingMessage', 'GetExtendedAgentCard'])(
      'B11: a foreign tenant is PERMISSION_DENIED for %s',
      async (operation) => {
        const host = await start([protectedAgent()]);
        const { error } = await host.call(key('acme'), { tenant: 'initech', operation });
        expect(error).toMatchObject({ reason: 'PERMISSION_DENIED' });
        expect(error?.message).not.toContain('initech');
      },
    );

    it('finds no task for a message to a task in a foreign tenant', async () => {
      const host = await start([protectedAgent()]);
      const { error } = await host.call(key('acme'), { tenant: 'initech', operation: 'SendMessage', taskId: 't-1' });
      expect(error?.reason).toBe('TASK_NOT_FOUND');
    });

    it('lets members in, by key row and by claim', async () => {
      const host = await start([protectedAgent()]);
      const byKey = await host.call(key('acme'), { tenant: 'globex' });
      const byClaim = await host.call(bearer(await token(host, { org: { tenants: ['acme'] } })), { tenant: 'acme' });
      expect(byKey.principal?.tenants).toEqual(new Set(['acme', 'globex']));
      expect(byClaim.principal?.tenants).toEqual(new Set(['acme']));
    });

    it('denies every tenant to callers of whom nobody says where they belong', async () => {
      const host = await start([protectedAgent(), hostedAgent({ id: 'open' })]);
      expect((await host.call(key('loner'), { tenant: 'acme' })).error?.reason).toBe('TASK_NOT_FOUND');
      expect((await host.call(bearer(await token(host)), { tenant: 'acme' })).error?.reason).toBe('TASK_NOT_FOUND');
      expect((await host.call({ mount: 'open' }, { tenant: 'acme' })).error?.reason).toBe('TASK_NOT_FOUND');
    });

    it('lets anybody name a tenant where the agent says so, and nowhere else', async () => {
      const host = await start([hostedAgent({ id: 'open', security: { tenants: 'anybody' } })]);
      expect((await host.call({}, { tenant: 'acme' })).principal?.authenticated).toBe(false);
    });

    it('B12: refuses a request without a tenant where the agent needs one', async () => {
      const host = await start([protectedAgent({ tenantRequired: true })]);
      const { error } = await host.call(key('acme'));
      expect(error).toMatchObject({ reason: 'INVALID_PARAMS', details: { fieldViolations: [{ field: 'tenant' }] } });
    });

    it('allows only tenants on which all schemes of an AND agree', async () => {
      const host = await start([hostedAgent({ id: 'a', security: { requirements: [{ key: [], cert: [] }] } })]);
      const { principal } = await host.call(
        { ...key('acme'), peerCertificate: { der: CERTIFICATE, verified: true } },
        { tenant: 'globex' },
      );
      expect(principal?.tenants).toEqual(new Set(['globex']));
    });
  });

  describe('operation scopes [SEC-05]', () => {
    it('B13: are asked by the table, and name the scope only', async () => {
      const host = await start([protectedAgent()], { operationScopes: A2A_OPERATION_SCOPES });
      const seed = bearer(await token(host, { scope: 'a2a.read' }));
      expect((await host.call(seed, { operation: 'ListTasks' })).principal).toBeDefined();
      expect((await host.call(seed, { operation: 'CancelTask', taskId: 't-1' })).error).toMatchObject({
        reason: 'PERMISSION_DENIED',
        details: { metadata: { scope: 'a2a.cancel' }, challenges: [expect.stringContaining('error="insufficient_scope"')] },
      });
    });

    it('cover all eleven operations', () => {
      const scoped = Object.entries(A2A_OPERATION_SCOPES).filter(([, scopes]) => scopes.length > 0);
      expect(scoped.map(([name]) => name).toSorted()).toEqual(OPERATIONS.map(({ name }) => name).toSorted());
    });

    it('are off unless they are configured, and an agent may have its own', async () => {
      const host = await start([protectedAgent({ operationScopes: { ListTasks: ['list'] } })], { operationScopes: A2A_OPERATION_SCOPES });
      const seed = bearer(await token(host));
      expect((await host.call(seed, { operation: 'GetTask' })).principal).toBeDefined();
      expect((await host.call(seed, { operation: 'ListTasks' })).error?.details.metadata).toEqual({ scope: 'list' });
    });

    it('ask callers without credentials for some', async () => {
      const host = await start([hostedAgent({ id: 'open', security: { operationScopes: { GetTask: ['read'] } } })]);
      expect((await host.call({})).error?.reason).toBe('UNAUTHENTICATED');
    });

    it('do not change who the caller is', async () => {
      const host = await start([protectedAgent()], { operationScopes: { ListTasks: ['a2a.read'] } });
      const seed = { headers: new Map([...bearer(await token(host)).headers, ...key('acme').headers]) };
      const { principal } = await host.call(seed, { operation: 'GetTask' });
      expect(principal?.subject).toBe('alice');
      expect((await host.call(seed, { operation: 'ListTasks' })).error?.reason).toBe('PERMISSION_DENIED');
    });
  });

  describe('the extended card [XCARD-01, XCARD-07]', () => {
    it('B15: is UNAUTHENTICATED for anonymous callers, even where no schemes are declared', async () => {
      const host = await start([hostedAgent({ id: 'open', extendedAgentCard: true })]);
      expect((await host.call({}, { operation: 'GetExtendedAgentCard' })).error).toMatchObject({
        reason: 'UNAUTHENTICATED',
        details: { challenges: ['Bearer realm="open"'] },
      });
    });

    it('is left to the capability check where the agent has none', async () => {
      const host = await start([hostedAgent({ id: 'open' })]);
      expect((await host.call({}, { operation: 'GetExtendedAgentCard' })).principal).toBeDefined();
    });

    it('is open to known callers', async () => {
      const host = await start([protectedAgent()]);
      expect((await host.call(key('acme'), { operation: 'GetExtendedAgentCard' })).principal).toBeDefined();
    });
  });

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

  describe('a team’s own policy', () => {
    const call = async (taskId: string, operation: OperationName = 'GetTask') => {
      const host = await start([protectedAgent()], { policy: BySuffix });
      return host.call(key('acme'), { operation, taskId, tenant: 'acme' });
    };

    it('allows, denies and hides', async () => {
      expect((await call('open')).principal).toBeDefined();
      expect((await call('denied')).error).toMatchObject({ reason: 'PERMISSION_DENIED', message: 'You may not do this' });
      expect((await call('hidden')).error).toMatchObject({ reason: 'TASK_NOT_FOUND', details: { metadata: { taskId: 'hidden' } } });
    });

    it('refuses the call when it fails', async () => {
      const host = await start([protectedAgent()], { policy: BySuffix });
      await expect(host.call(key('acme'), { taskId: 'broken' })).rejects.toThrow('the rule engine is down');
    });

    it('is asked about skills too', async () => {
      const agent = hostedAgent({ id: 'a' }, [{ id: 'denied' }, { id: 'fine' }]);
      const host = await start([agent], { policy: BySuffix });
      const { principal } = await host.call({});
      const check = (n: number) => host.skills.isAllowed({ agent, skill: agent.skills[n]!, principal: principal!, tenant: '' });
      expect([await check(0), await check(1)]).toEqual([false, true]);
    });
  });

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
      const { issuer, jwksUri } = provider;
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

  it('admits nobody that identify has not seen', async () => {
    const host = await start([protectedAgent()]);
    const call = await host.identify(key('acme'));
    const forged = { ...call, principal: { ...call.principal } };
    await expect(host.authenticator.admit(forged, host.agent('a'), '', 'GetTask')).rejects.toThrow('did not come from identify');
  });

  it('survives a wire that copies the call', async () => {
    const host = await start([protectedAgent()]);
    const call = await host.identify(key('acme'));
    const principal = await host.authenticator.admit({ ...call }, host.agent('a'), '', 'GetTask');
    expect(principal.subject).toBe('robot');
  });

  it('A6: judges by the agent a message reached, whatever the headers said', async () => {
    const host = await start([
      protectedAgent(),
      hostedAgent({ id: 'b', security: { requirements: [{ corporate: [] }], audience: 'urn:agent:b' } }),
    ]);
    const call = await host.identify(bearer(await token(host)));
    await expect(host.authenticator.admit(call, host.agent('b'), '', 'GetTask')).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
  });
});
