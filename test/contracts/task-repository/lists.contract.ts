import { type TaskHead, type TaskQuery, type TaskRepository, type TaskScope, TaskState } from '@a2a/a2a-core';
import { creation, growth, move, newScope } from '../task-changes.js';
import { type MakeTaskRepository } from './make.js';

export function describeLists(make: MakeTaskRepository): void {
  describe('lists', () => {
    let tasks: TaskRepository;
    beforeAll(async () => {
      tasks = await make();
    });

    const idsOf = (heads: readonly TaskHead[]): string[] => heads.map(({ taskId }) => taskId);

    /** All pages, read one behind the other. */
    const readPages = async (scope: TaskScope, query: Omit<TaskQuery, 'after'>): Promise<TaskHead[]> => {
      const heads: TaskHead[] = [];
      for (;;) {
        const last = heads.at(-1);
        const page = await tasks.list(scope, { ...query, after: last && { statusAtMs: last.statusAtMs, taskId: last.taskId } });
        heads.push(...page.heads);
        expect(page.heads.length).toBeLessThanOrEqual(query.limit);
        if (!page.hasMore) return heads;
        expect(page.heads).toHaveLength(query.limit);
      }
    };

    /** 60 tasks over 3 contexts, 2 states and 6 moments, ten at each moment. */
    const fill = async (scope: TaskScope): Promise<TaskHead[]> => {
      const heads = Array.from({ length: 60 }, (_, index): TaskHead => {
        const state = index % 2 === 0 ? TaskState.COMPLETED : TaskState.INPUT_REQUIRED;
        return {
          taskId: `t${String(index).padStart(2, '0')}`,
          contextId: `c${index % 3}`,
          version: 1,
          state,
          statusAtMs: 1_000 + (index % 6),
        };
      });
      const shuffled = heads.map((head, index) => [(index * 37) % 60, head] as const).toSorted(([a], [b]) => a - b);
      await Promise.all(
        shuffled.map(([, { taskId, contextId, state, statusAtMs }]) =>
          tasks.commit(scope, creation(taskId, { contextId, state, statusAtMs }), 0),
        ),
      );
      return heads.toSorted((a, b) => b.statusAtMs - a.statusAtMs || (a.taskId < b.taskId ? 1 : -1));
    };

    it('gives newest status first and ties by task id descending, over pages of any size', async () => {
      const scope = newScope();
      const expected = await fill(scope);
      for (const limit of [1, 7, 10, 59, 60, 61]) expect(await readPages(scope, { limit })).toEqual(expected);
      const page = await tasks.list(scope, { limit: 60 });
      expect([page.total, page.hasMore]).toEqual([60, false]);
    });

    it.each([
      ['a context', { contextId: 'c1' }],
      ['a state', { state: TaskState.INPUT_REQUIRED }],
      ['a time', { statusAtOrAfterMs: 1_003 }],
      ['a context and a state', { contextId: 'c2', state: TaskState.COMPLETED }],
      ['a context and a time', { contextId: 'c0', statusAtOrAfterMs: 1_002 }],
      ['a state and a time', { state: TaskState.COMPLETED, statusAtOrAfterMs: 1_004 }],
      ['all three', { contextId: 'c1', state: TaskState.COMPLETED, statusAtOrAfterMs: 1_001 }],
    ])('filters by %s, on each page and in the total', async (_, filter: Partial<TaskQuery>) => {
      const scope = newScope();
      const expected = (await fill(scope)).filter(
        ({ contextId, state, statusAtMs }) =>
          (filter.contextId ?? contextId) === contextId &&
          (filter.state ?? state) === state &&
          statusAtMs >= (filter.statusAtOrAfterMs ?? 0),
      );
      expect(expected.length).toBeGreaterThan(0);
      for (const limit of [3, 60]) expect(await readPages(scope, { ...filter, limit })).toEqual(expected);
      const first = expected[2];
      const after = first && { statusAtMs: first.statusAtMs, taskId: first.taskId };
      expect((await tasks.list(scope, { ...filter, limit: 5, after })).total).toBe(expected.length);
    });

    it('answers an empty page and the total where nothing is left, and nothing where nothing is', async () => {
      const scope = newScope();
      await tasks.commit(scope, creation('t'), 0);
      const behind = { statusAtMs: 0, taskId: '' };
      await expect(tasks.list(scope, { limit: 5, after: behind })).resolves.toEqual({ heads: [], total: 1, hasMore: false });
      await expect(tasks.list(scope, { limit: 5, contextId: 'none' })).resolves.toEqual({ heads: [], total: 0, hasMore: false });
      await expect(tasks.list(newScope(), { limit: 5 })).resolves.toEqual({ heads: [], total: 0, hasMore: false });
    });

    it('moves a task to the front when its status changes, and not when it only grows', async () => {
      const scope = newScope();
      for (const id of ['a', 'b', 'c']) await tasks.commit(scope, creation(id, { statusAtMs: 1_000 }), 0);
      await tasks.commit(scope, growth('a', 1, ['x'], { state: TaskState.SUBMITTED }), 1);
      expect(idsOf((await tasks.list(scope, { limit: 5 })).heads)).toEqual(['c', 'b', 'a']);
      await tasks.commit(scope, move('a', 2, TaskState.WORKING, 2_000), 2);
      const { heads, total } = await tasks.list(scope, { limit: 5 });
      expect([idsOf(heads), total]).toEqual([['a', 'c', 'b'], 3]);
      expect(heads[0]).toMatchObject({ version: 3, state: TaskState.WORKING });
      expect(idsOf((await tasks.list(scope, { limit: 5, state: TaskState.SUBMITTED })).heads)).toEqual(['c', 'b']);
    });

    it('never skips or repeats a task that does not change while others do', async () => {
      const scope = newScope();
      const ids = Array.from({ length: 40 }, (_, index) => `t${String(index).padStart(2, '0')}`);
      await Promise.all(ids.map((id) => tasks.commit(scope, creation(id, { statusAtMs: 1_000 }), 0)));
      const seen: string[] = [];
      let after: TaskQuery['after'];
      for (let round = 0; ; round++) {
        const page = await tasks.list(scope, { limit: 6, after });
        seen.push(...idsOf(page.heads));
        const last = page.heads.at(-1);
        if (!page.hasMore || !last) break;
        after = { statusAtMs: last.statusAtMs, taskId: last.taskId };
        await tasks.commit(scope, creation(`new-${round}`, { statusAtMs: 5_000 }), 0);
        await tasks.commit(scope, move(seen[round] ?? '', 1, TaskState.WORKING, 6_000), 1);
      }
      expect(seen).toEqual(ids.toReversed());
    });
  });
}
