import { type OperationName } from '@a2a/a2a-core';
import { Injectable } from '@nestjs/common';
import { AccessPolicy, type AccessQuestion, type AccessVerdict } from '../src/index.js';
import { key, protectedAgent, useAuthorizingHosts } from './support/authorizing-host.js';
import { hostedAgent } from './support/hosted-agents.js';

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

const { start } = useAuthorizingHosts();

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
