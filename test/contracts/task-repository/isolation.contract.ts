import { agentMessage, ConcurrentModification, type TaskRepository, type TaskScope } from '@a2a/a2a-core';
import { creation, growth, newScope } from '../task-changes.js';
import { type MakeTaskRepository } from './make.js';

export function describeIsolation(make: MakeTaskRepository): void {
  describe('isolation', () => {
    let tasks: TaskRepository;
    let own: TaskScope;
    beforeAll(async () => {
      tasks = await make();
    });
    beforeEach(async () => {
      own = newScope();
      const receipt = { messageId: 'm', digest: 'd' };
      await tasks.commit(own, creation('t', { receipt, memos: new Map([['step', 1]]) }), 0);
    });

    describe.each([
      ['agent', { agentId: 'another' }],
      ['tenant', { tenant: 'umbrella' }],
      ['tenant, none,', { tenant: '' }],
      ['owner', { owner: 'bob' }],
    ])('from another %s', (_, difference: Partial<TaskScope>) => {
      let foreign: TaskScope;
      beforeEach(() => {
        foreign = { ...own, ...difference, ...(difference.agentId ? { agentId: `${own.agentId}-other` } : {}) };
      });

      it('finds nothing: no task, event, memo, receipt or list entry [A2A §13.1]', async () => {
        await expect(tasks.find(foreign, 't')).resolves.toBeUndefined();
        await expect(tasks.findMany(foreign, [{ taskId: 't', knownVersion: 0 }])).resolves.toEqual([]);
        await expect(tasks.readEvents(foreign, 't', 0, 10)).resolves.toEqual([]);
        await expect(tasks.findMemo(foreign, 't', 'step')).resolves.toBeUndefined();
        await expect(tasks.findReceived(foreign, 'm')).resolves.toBeUndefined();
        await expect(tasks.list(foreign, { limit: 10 })).resolves.toEqual({ heads: [], total: 0, hasMore: false });
        await expect(tasks.list(foreign, { limit: 10, contextId: 'context' })).resolves.toMatchObject({ heads: [], total: 0 });
      });

      it('cannot write to a foreign task, and learns no more than that it is absent', async () => {
        const refusal = await tasks.commit(foreign, growth('t', 1, ['x']), 1).catch((error: unknown) => error);
        const absent = await tasks.commit(foreign, growth('absent', 1, ['x']), 1).catch((error: unknown) => error);
        expect(refusal).toBeInstanceOf(ConcurrentModification);
        expect(String(refusal).replace(' t ', ' absent ')).toBe(String(absent));
        expect((await tasks.find(own, 't'))?.head.version).toBe(1);
      });

      it('has the same ids for itself', async () => {
        const receipt = { messageId: 'm', digest: 'other' };
        await expect(tasks.commit(foreign, creation('t', { receipt, contextId: 'theirs' }), 0)).resolves.toBe(1);
        await expect(tasks.saveReply(foreign, { messageId: 'n', digest: 'd' }, agentMessage('hi'))).resolves.toBeUndefined();
        expect((await tasks.find(own, 't'))?.head.contextId).toBe('context');
        await expect(tasks.findReceived(own, 'm')).resolves.toMatchObject({ digest: 'd' });
        await expect(tasks.findReceived(own, 'n')).resolves.toBeUndefined();
        await expect(tasks.list(own, { limit: 10 })).resolves.toMatchObject({ total: 1, heads: [{ contextId: 'context' }] });
      });
    });

    it('does not confuse scopes whose members only read alike when put together', async () => {
      const one = { agentId: 'a', tenant: 'b', owner: `c-${own.agentId}` };
      const two = { agentId: 'a', tenant: `b${one.owner}`, owner: '' };
      await tasks.commit(one, creation('t'), 0);
      await expect(tasks.find(two, 't')).resolves.toBeUndefined();
    });
  });
}
