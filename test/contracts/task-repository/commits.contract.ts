import { randomUUID } from 'node:crypto';
import { ConcurrentModification, DuplicateMessage, type TaskRepository, TaskState } from '@a2a/a2a-core';
import { creation, growth, move, newScope, taskOf, textsOf } from '../task-changes.js';
import { type MakeTaskRepository } from './make.js';

export function describeAtomicCommits(make: MakeTaskRepository): void {
  describe('commits', () => {
    let tasks: TaskRepository;
    beforeAll(async () => {
      tasks = await make();
    });

    it('answers the version that a commit produced, counting from 1', async () => {
      const scope = newScope();
      await expect(tasks.commit(scope, creation('t'), 0)).resolves.toBe(1);
      await expect(tasks.commit(scope, growth('t', 1, ['a', 'b', 'c']), 1)).resolves.toBe(4);
      const stored = await tasks.find(scope, 't');
      expect(stored?.head).toEqual({ taskId: 't', contextId: 'context', version: 4, state: TaskState.WORKING, statusAtMs: 1_000 });
      expect(stored?.events.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
    });

    it('makes a task of several events at once', async () => {
      const scope = newScope();
      const events = [...creation('t').events, ...growth('t', 1, ['a', 'b']).events];
      await expect(tasks.commit(scope, creation('t', { events, state: TaskState.WORKING }), 0)).resolves.toBe(3);
      expect((await tasks.find(scope, 't'))?.events).toHaveLength(3);
    });

    it.each([0, 1, 3, 99])('refuses a commit that expects version %i of a task at version 2', async (expected) => {
      const scope = newScope();
      await tasks.commit(scope, creation('t'), 0);
      await tasks.commit(scope, growth('t', 1, ['a']), 1);
      const change = expected === 0 ? creation('t') : growth('t', expected, ['x']);
      await expect(tasks.commit(scope, change, expected)).rejects.toThrow(ConcurrentModification);
      expect(textsOf((await tasks.find(scope, 't'))?.events ?? [])).toEqual(['a']);
    });

    it('refuses a change of a task that was never made', async () => {
      const scope = newScope();
      await expect(tasks.commit(scope, growth('t', 1, ['x']), 1)).rejects.toThrow(ConcurrentModification);
      await expect(tasks.find(scope, 't')).resolves.toBeUndefined();
    });

    it('lets exactly one of 20 parallel commits win each version', async () => {
      const scope = newScope();
      await tasks.commit(scope, creation('t'), 0);
      const winners: string[] = [];
      for (let version = 1; version <= 3; version++) {
        const attempts = Array.from({ length: 20 }, (_, writer) => `${version}-${writer}`);
        const outcomes = await Promise.allSettled(attempts.map((text) => tasks.commit(scope, growth('t', version, [text]), version)));
        const won = attempts.filter((_, index) => outcomes[index]?.status === 'fulfilled');
        expect(won).toHaveLength(1);
        for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ConcurrentModification);
        winners.push(...won);
      }
      expect(textsOf((await tasks.find(scope, 't'))?.events ?? [])).toEqual(winners);
    });

    it('keeps every commit of 20 writers that try again until they are through, without a hole', async () => {
      const scope = newScope();
      await tasks.commit(scope, creation('t'), 0);
      const write = async (text: string): Promise<void> => {
        for (;;) {
          const version = (await tasks.find(scope, 't', 1_000_000))?.head.version ?? 0;
          try {
            await tasks.commit(scope, growth('t', version, [text]), version);
            return;
          } catch (error) {
            if (!(error instanceof ConcurrentModification)) throw error;
          }
        }
      };
      const texts = Array.from({ length: 20 }, (_, writer) => `writer ${writer}`);
      await Promise.all(texts.map(write));
      const stored = await tasks.find(scope, 't');
      expect(stored?.events.map(({ version }) => version)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
      expect(textsOf(stored?.events ?? []).toSorted()).toEqual(texts.toSorted());
    });

    it('lets exactly one of 20 parallel makers of one task id win', async () => {
      const scope = newScope();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, maker) => tasks.commit(scope, creation('t', { contextId: `context-${maker}` }), 0)),
      );
      const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await tasks.find(scope, 't'))?.head.contextId).toBe(`context-${winner}`);
      expect((await tasks.list(scope, { limit: 10 })).total).toBe(1);
    });

    it('makes 100 tasks in parallel, with changes to each that follow at once', async () => {
      const scope = newScope();
      const ids = Array.from({ length: 100 }, (_, index) => `task-${index}`);
      await Promise.all(
        ids.map(async (id) => {
          await tasks.commit(scope, creation(id), 0);
          await tasks.commit(scope, growth(id, 1, [id]), 1);
          await tasks.commit(scope, move(id, 2, TaskState.COMPLETED), 2);
        }),
      );
      const stored = await tasks.findMany(
        scope,
        ids.map((taskId) => ({ taskId, knownVersion: 0 })),
      );
      expect(stored.map(({ head }) => [head.taskId, head.version, head.state]).toSorted()).toEqual(
        ids.map((id) => [id, 3, TaskState.COMPLETED]).toSorted(),
      );
      for (const { head, events } of stored) expect(textsOf(events)).toEqual([head.taskId]);
      expect((await tasks.list(scope, { limit: 1 })).total).toBe(100);
    });

    it('takes commits that were not waited for in the order they were given', async () => {
      const scope = newScope();
      const commits = [tasks.commit(scope, creation('t'), 0)];
      for (let version = 1; version <= 10; version++) commits.push(tasks.commit(scope, growth('t', version, [`${version}`]), version));
      await expect(Promise.all(commits)).resolves.toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    });

    it('leaves nothing of a refused change: no event, memo, receipt or snapshot', async () => {
      const scope = newScope();
      await tasks.commit(scope, creation('t'), 0);
      const messageId = randomUUID();
      const rich = {
        memos: new Map([['step', 'x']]),
        receipt: { messageId, digest: 'd' },
        snapshot: taskOf('t', 'from a refused change'),
        contextId: 'elsewhere',
      };
      await expect(tasks.commit(scope, growth('t', 7, ['x'], rich), 7)).rejects.toThrow(ConcurrentModification);
      await expect(tasks.commit(scope, creation('t', rich), 0)).rejects.toThrow(ConcurrentModification);

      const stored = await tasks.find(scope, 't');
      expect(stored?.head).toMatchObject({ version: 1, state: TaskState.SUBMITTED, contextId: 'context' });
      expect(stored?.snapshot).toBeUndefined();
      expect(stored?.events).toHaveLength(1);
      await expect(tasks.findMemo(scope, 't', 'step')).resolves.toBeUndefined();
      await expect(tasks.findReceived(scope, messageId)).resolves.toBeUndefined();
    });

    it('leaves nothing of a change whose message was accepted before', async () => {
      const scope = newScope();
      const receipt = { messageId: 'm', digest: 'd' };
      await tasks.commit(scope, creation('first', { receipt }), 0);
      await tasks.commit(scope, creation('old'), 0);
      const memos = new Map([['step', 'x']]);
      await expect(tasks.commit(scope, creation('second', { receipt, memos }), 0)).rejects.toThrow(DuplicateMessage);
      await expect(tasks.commit(scope, growth('old', 1, ['x'], { receipt, memos }), 1)).rejects.toThrow(DuplicateMessage);

      await expect(tasks.find(scope, 'second')).resolves.toBeUndefined();
      expect((await tasks.find(scope, 'old'))?.head.version).toBe(1);
      await expect(tasks.findMemo(scope, 'old', 'step')).resolves.toBeUndefined();
      expect((await tasks.list(scope, { limit: 10 })).total).toBe(2);
    });

    it('does not let a refused commit harm those that came with it', async () => {
      const scope = newScope();
      await tasks.commit(scope, creation('busy'), 0);
      const outcomes = await Promise.allSettled([
        tasks.commit(scope, creation('a'), 0),
        tasks.commit(scope, growth('busy', 9, ['x']), 9),
        tasks.commit(scope, creation('b'), 0),
        tasks.commit(scope, creation('busy'), 0),
        tasks.commit(scope, creation('c'), 0),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
      const made = await tasks.findMany(
        scope,
        ['a', 'b', 'c'].map((taskId) => ({ taskId, knownVersion: 0 })),
      );
      expect(made).toHaveLength(3);
    });

    it('keeps what was committed when the caller changes the objects afterwards, and does not hand them out', async () => {
      const scope = newScope();
      const memo = { list: [1] };
      const change = creation('t', { snapshot: taskOf('t'), memos: new Map([['step', memo]]) });
      const commit = tasks.commit(scope, change, 0);
      const [first] = change.events;
      if (first?.event.payload.case === 'task') first.event.payload.value.contextId = 'changed';
      if (change.snapshot) change.snapshot.contextId = 'changed';
      memo.list.push(2);
      await commit;

      const one = await tasks.find(scope, 't');
      if (one?.snapshot) one.snapshot.task.contextId = 'changed';
      ((await tasks.findMemo(scope, 't', 'step')) as { list: number[] }).list.push(3);
      const [event] = await tasks.readEvents(scope, 't', 0, 10);
      if (event?.event.payload.case === 'task') event.event.payload.value.contextId = 'changed';

      const again = await tasks.find(scope, 't');
      expect(again?.snapshot?.task.contextId).toBe('context');
      await expect(tasks.findMemo(scope, 't', 'step')).resolves.toEqual({ list: [1] });
      const [unchanged] = await tasks.readEvents(scope, 't', 0, 10);
      expect(unchanged?.event.payload).toMatchObject({ case: 'task', value: { contextId: 'context' } });
    });
  });
}
