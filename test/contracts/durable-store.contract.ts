import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { agentMessage, TaskState } from '@a2a/a2a-core';
import { type A2aStore, openStore } from '@a2a/a2a-store';
import { startChild } from './child.js';
import { creation, growth, move, newScope, taskOf, textsOf } from './task-changes.js';

/**
 * What a store promises that outlives its process.
 *
 * @param newUrl the URL of an empty store
 */
export function durableStoreContract(name: string, newUrl: () => Promise<string>): void {
  describe(`${name} over restarts`, () => {
    it('has after reopening all that it had, and goes on from there', async () => {
      const url = await newUrl();
      const scope = newScope();
      const first = await openStore({ url });
      await first.tasks.commit(scope, creation('t', { receipt: { messageId: 'm', digest: 'd' }, memos: new Map([['step', [1]]]) }), 0);
      await first.tasks.commit(scope, growth('t', 1, ['a', 'b'], { snapshot: taskOf('t') }), 1);
      await first.tasks.commit(scope, move('t', 3, TaskState.COMPLETED, 2_000), 3);
      await first.tasks.saveReply(scope, { messageId: 'n', digest: 'd' }, agentMessage('hi', { messageId: 'reply' }));
      await first.states.update(scope, 'n', 'k', () => 'v');
      await first.close();

      const second = await openStore({ url });
      const stored = await second.tasks.find(scope, 't');
      expect(stored).toMatchObject({ head: { version: 4, state: TaskState.COMPLETED, statusAtMs: 2_000 }, snapshot: { version: 3 } });
      expect(textsOf(await second.tasks.readEvents(scope, 't', 0, 10))).toEqual(['a', 'b']);
      await expect(second.tasks.findMemo(scope, 't', 'step')).resolves.toEqual([1]);
      await expect(second.tasks.findReceived(scope, 'm')).resolves.toMatchObject({ taskId: 't' });
      await expect(second.tasks.findReceived(scope, 'n')).resolves.toMatchObject({ reply: { messageId: 'reply' } });
      await expect(second.states.get(scope, 'n', 'k')).resolves.toBe('v');
      await expect(second.tasks.list(scope, { limit: 5 })).resolves.toMatchObject({ total: 1, heads: [{ taskId: 't' }] });
      await expect(second.tasks.commit(scope, creation('u'), 0)).resolves.toBe(1);
      await second.close();
    });

    it('writes what is on its way before it closes, and answers UNAVAILABLE afterwards', async () => {
      const url = await newUrl();
      const scope = newScope();
      const store = await openStore({ url });
      const commits = Array.from({ length: 50 }, (_, index) => store.tasks.commit(scope, creation(`t${index}`), 0));
      await store.close();
      await expect(Promise.all(commits)).resolves.toHaveLength(50);
      await expect(store.tasks.commit(scope, creation('late'), 0)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
      await expect(store.tasks.find(scope, 't1')).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
      await expect(store.states.get(scope, 'n', 'k')).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
      await expect(store.health.ping()).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
      await store.close();

      const again = await openStore({ url });
      expect((await again.tasks.list(scope, { limit: 1 })).total).toBe(50);
      await expect(again.health.ping()).resolves.toBeUndefined();
      await again.close();
    });

    it('has every commit that was acknowledged before the process was killed, and no log with a hole', async () => {
      const url = await newUrl();
      const child = startChild('committing.child.ts', url);
      const acknowledged = await readUntilKilled(child, 400);

      const store: A2aStore = await openStore({ url });
      const scope = { agentId: 'agent', tenant: 'acme', owner: 'ada' };
      expect(acknowledged.size).toBe(8);
      for (const [taskId, version] of acknowledged) {
        const stored = await store.tasks.find(scope, taskId);
        expect(stored?.head.version).toBeGreaterThanOrEqual(version);
        const events = await store.tasks.readEvents(scope, taskId, 0, 1_000_000);
        expect(events.map((event) => event.version)).toEqual(Array.from({ length: stored?.head.version ?? 0 }, (_, index) => index + 1));
        expect(textsOf(events)).toEqual(events.slice(1).map((event) => `${taskId} ${event.version}`));
      }
      expect((await store.tasks.list(scope, { limit: 1 })).total).toBe(8);
      await expect(store.tasks.commit(scope, creation('next'), 0)).resolves.toBe(1);
      await store.close();
    });
  });
}

/** Kills the child after `lines` lines, and tells the newest version of each task that it had written until its end. */
async function readUntilKilled(child: ChildProcess, lines: number): Promise<Map<string, number>> {
  const newest = new Map<string, number>();
  const exit = once(child, 'exit');
  let read = 0;
  if (child.stdout) {
    for await (const line of createInterface({ input: child.stdout })) {
      const [taskId = '', version] = line.split(' ');
      newest.set(taskId, Number(version));
      if (++read === lines) child.kill('SIGKILL');
    }
  }
  expect(await exit).toEqual([null, 'SIGKILL']);
  return newest;
}
