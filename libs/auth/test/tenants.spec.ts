import { type OperationName } from '@a2a/a2a-core';
import { bearer } from './support/auth-host.js';
import { CERTIFICATE, key, protectedAgent, useAuthorizingHosts } from './support/authorizing-host.js';
import { hostedAgent } from './support/hosted-agents.js';

const { start, token } = useAuthorizingHosts();

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
    const { principal } = await host.call({ ...key('acme'), peerCertificate: { der: CERTIFICATE, verified: true } }, { tenant: 'globex' });
    expect(principal?.tenants).toEqual(new Set(['globex']));
  });
});
