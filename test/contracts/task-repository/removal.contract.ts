import { randomUUID } from 'node:crypto';
import { agentMessage, ConcurrentModification, type EndedTask, type TaskRepository, type TaskScope, TaskState } from '@a2a/a2a-core';
import { creation, growth, move, newScope, taskOf } from '../task-changes.js';
import { type MakeTaskRepository } from './make.js';

/** Long before any other test's tasks, so that those who look across all scopes find these first. */
const LONG_AGO = -1_000_000_000;

export function describeRemoval(make: MakeTaskRepository): void {
  describe('removal', () => {
    let tasks: TaskRepository;
    beforeAll(async () => {
      tasks = await make();
    });

    const end = async (scope: TaskScope, taskId: string, statusAtMs: number, state = TaskState.COMPLETED): Promise<void> => {
      await tasks.commit(scope, creation(taskId, { state, statusAtMs }), 0);
    };
    const clean = async (scope: TaskScope): Promise<void> => {
      const { heads } = await tasks.list(scope, { limit: 1_000 });
      await tasks.delete(
        scope,
        heads.map(({ taskId }) => taskId),
      );
    };
    const idsOf = (found: readonly EndedTask[]): string[] => found.map(({ taskId }) => taskId).toSorted();

    describe('findEnded', () => {
      it('finds tasks that ended before a moment, in whatever way, and none that goes on [SECC-60]', async () => {
        const scope = newScope();
        const states = {
          completed: TaskState.COMPLETED,
          failed: TaskState.FAILED,
          canceled: TaskState.CANCELED,
          rejected: TaskState.REJECTED,
          submitted: TaskState.SUBMITTED,
          working: TaskState.WORKING,
          input: TaskState.INPUT_REQUIRED,
          auth: TaskState.AUTH_REQUIRED,
        };
        for (const [taskId, state] of Object.entries(states)) await end(scope, taskId, LONG_AGO, state);
        await end(scope, 'later', LONG_AGO + 1);
        const found = await tasks.findEnded(LONG_AGO + 1, 100);
        expect(idsOf(found)).toEqual(['canceled', 'completed', 'failed', 'rejected']);
        expect(found[0]).toMatchObject({ scope, endedAtMs: LONG_AGO });
        await expect(tasks.findEnded(LONG_AGO, 100)).resolves.toEqual([]);
        await clean(scope);
      });

      it('finds a task that ends later on by the time of its end', async () => {
        const scope = newScope();
        await tasks.commit(scope, creation('t', { statusAtMs: LONG_AGO - 500 }), 0);
        await tasks.commit(scope, move('t', 1, TaskState.COMPLETED, LONG_AGO), 1);
        await expect(tasks.findEnded(LONG_AGO, 100)).resolves.toEqual([]);
        expect(idsOf(await tasks.findEnded(LONG_AGO + 1, 100))).toEqual(['t']);
        await clean(scope);
      });

      it('goes through all scopes page by page, each task once, also when pages are deleted or skipped on the way', async () => {
        const scopes = [newScope(), newScope({ owner: 'eve' }), newScope({ tenant: "o'hara" })] as const;
        for (const [index, scope] of scopes.entries()) {
          for (let n = 0; n < 5; n++) await end(scope, `${index}${n}`, LONG_AGO + (n % 2));
        }
        const seen: EndedTask[] = [];
        for (let page = await tasks.findEnded(LONG_AGO + 2, 4); page.length > 0;) {
          expect(page.length).toBeLessThanOrEqual(4);
          seen.push(...page);
          const last = page.at(-1);
          for (const { scope, taskId } of seen.length % 8 === 4 ? page : []) await tasks.delete(scope, [taskId]);
          page = await tasks.findEnded(LONG_AGO + 2, 4, last);
        }
        expect(idsOf(seen)).toEqual(scopes.flatMap((_, index) => [0, 1, 2, 3, 4].map((n) => `${index}${n}`)).toSorted());
        for (const scope of scopes) await clean(scope);
      });
    });

    describe('delete', () => {
      it('leaves nothing that any method would find [SECC-60]', async () => {
        const scope = newScope();
        await tasks.commit(scope, creation('t', { memos: new Map([['step', 1]]) }), 0);
        await tasks.commit(scope, growth('t', 1, ['a', 'b'], { snapshot: taskOf('t') }), 1);
        await end(scope, 'other', 1_000);
        await expect(tasks.delete(scope, ['t'])).resolves.toBe(1);
        await expect(tasks.find(scope, 't')).resolves.toBeUndefined();
        await expect(tasks.findMany(scope, [{ taskId: 't', knownVersion: 0 }])).resolves.toEqual([]);
        await expect(tasks.readEvents(scope, 't', 0, 10)).resolves.toEqual([]);
        await expect(tasks.findMemo(scope, 't', 'step')).resolves.toBeUndefined();
        const everyWay = [{}, { contextId: 'context' }, { state: TaskState.WORKING }, { statusAtOrAfterMs: 0 }];
        for (const query of everyWay) {
          const { heads } = await tasks.list(scope, { limit: 10, ...query });
          expect(heads.map(({ taskId }) => taskId)).not.toContain('t');
        }
        expect((await tasks.list(scope, { limit: 10 })).total).toBe(1);
      });

      it('tells how many there were, and is no error for what is absent, foreign or deleted', async () => {
        const scope = newScope();
        for (const taskId of ['a', 'b', 'c']) await end(scope, taskId, 1_000);
        await expect(tasks.delete({ ...scope, owner: 'eve' }, ['a', 'b'])).resolves.toBe(0);
        await expect(tasks.delete(scope, ['a', 'b', 'nothing'])).resolves.toBe(2);
        await expect(tasks.delete(scope, ['a', 'b'])).resolves.toBe(0);
        await expect(tasks.delete(scope, [])).resolves.toBe(0);
        await expect(tasks.list(scope, { limit: 10 })).resolves.toMatchObject({ total: 1, heads: [{ taskId: 'c' }] });
      });

      it('counts right again when the last task of an owner is gone and another one comes', async () => {
        const scope = newScope();
        await end(scope, 'a', 1_000);
        await tasks.delete(scope, ['a']);
        await expect(tasks.list(scope, { limit: 10 })).resolves.toEqual({ heads: [], total: 0, hasMore: false });
        await end(scope, 'b', 1_000);
        await expect(tasks.list(scope, { limit: 10 })).resolves.toMatchObject({ total: 1 });
      });

      it('refuses every later commit of a writer that still has the task', async () => {
        const scope = newScope();
        await tasks.commit(scope, creation('t'), 0);
        await tasks.delete(scope, ['t']);
        await expect(tasks.commit(scope, growth('t', 1, ['late']), 1)).rejects.toThrow(ConcurrentModification);
        await expect(tasks.readEvents(scope, 't', 0, 10)).resolves.toEqual([]);
      });

      it('takes a task that is not done out of the unfinished ones', async () => {
        const scope = newScope();
        await tasks.commit(scope, creation('t', { runner: randomUUID() }), 0);
        await tasks.delete(scope, ['t']);
        expect((await tasks.findAbandoned(10_000)).map((found) => found.scope.agentId)).not.toContain(scope.agentId);
      });

      it('lets either the commit or the deletion win when both come at once, and leaves no trace of a loser', async () => {
        const scope = newScope();
        const ids = Array.from({ length: 30 }, (_, n) => `t${n}`);
        for (const taskId of ids) await tasks.commit(scope, creation(taskId), 0);
        const commits = ids.map((taskId) => tasks.commit(scope, growth(taskId, 1, ['x']), 1));
        const [deleted, outcomes] = await Promise.all([tasks.delete(scope, ids), Promise.allSettled(commits)]);
        expect(deleted).toBe(30);
        for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ConcurrentModification);
        for (const taskId of ids) await expect(tasks.readEvents(scope, taskId, 0, 10)).resolves.toEqual([]);
        await expect(tasks.list(scope, { limit: 10 })).resolves.toMatchObject({ total: 0 });
      });

      it('removes a log of 12,000 events', async () => {
        const scope = newScope();
        await tasks.commit(scope, creation('t'), 0);
        const texts = Array.from({ length: 12_000 }, () => 'x');
        await tasks.commit(scope, growth('t', 1, texts), 1);
        await expect(tasks.delete(scope, ['t'])).resolves.toBe(1);
        await tasks.commit(scope, creation('t'), 0);
        await expect(tasks.readEvents(scope, 't', 0, 10)).resolves.toHaveLength(1);
      });
    });

    describe('deleteReceipts', () => {
      it('removes the receipts it is told, or any, and no more than the limit', async () => {
        const scope = newScope();
        const foreign = { ...scope, owner: 'eve' };
        await tasks.commit(scope, creation('t', { receipt: { messageId: 'm0', digest: 'd' } }), 0);
        for (const messageId of ['m1', 'm2', 'm3', 'm4']) await tasks.saveReply(scope, { messageId, digest: 'd' }, agentMessage('hi'));
        await tasks.saveReply(foreign, { messageId: 'm1', digest: 'd' }, agentMessage('hi'));
        await expect(tasks.deleteReceipts(scope, 10, ['m0', 'm1', 'nothing'])).resolves.toBe(2);
        await expect(tasks.findReceived(scope, 'm0')).resolves.toBeUndefined();
        await expect(tasks.findReceived(scope, 'm1')).resolves.toBeUndefined();
        await expect(tasks.deleteReceipts(scope, 2)).resolves.toBe(2);
        await expect(tasks.deleteReceipts(scope, 2)).resolves.toBe(1);
        await expect(tasks.deleteReceipts(scope, 2)).resolves.toBe(0);
        await expect(tasks.findReceived(foreign, 'm1')).resolves.toMatchObject({ digest: 'd' });
      });
    });

    describe('findScopes', () => {
      it('finds every agent and tenant where an owner has tasks or receipts, and no others', async () => {
        const owner = `ö'${randomUUID()}\0`;
        const [one, two, three] = [newScope({ owner }), newScope({ owner, tenant: '' }), newScope({ owner, tenant: 'x' })];
        await end(one, 'a', 1_000);
        await end(one, 'b', 1_000);
        await tasks.saveReply(one, { messageId: 'm', digest: 'd' }, agentMessage('hi'));
        await tasks.saveReply(two, { messageId: 'm', digest: 'd' }, agentMessage('hi'));
        await end({ ...three, owner: `${owner}2` }, 'a', 1_000);
        const byAgent = (a: TaskScope, b: TaskScope): number => (a.agentId < b.agentId ? -1 : 1);
        expect((await tasks.findScopes(owner)).toSorted(byAgent)).toEqual([one, two].toSorted(byAgent));
        await tasks.delete(one, ['a', 'b']);
        await tasks.deleteReceipts(one, 10);
        await expect(tasks.findScopes(owner)).resolves.toEqual([two]);
      });
    });
  });
}
