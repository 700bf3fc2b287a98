import { OPERATIONS } from '@a2a/a2a-core';
import { A2A_OPERATION_SCOPES } from '../src/index.js';
import { bearer } from './support/auth-host.js';
import { key, protectedAgent, useAuthorizingHosts } from './support/authorizing-host.js';
import { hostedAgent } from './support/hosted-agents.js';

const { start, token } = useAuthorizingHosts();

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
