import { TaskState } from '@a2a/a2a-core';
import { move } from '../task-changes.js';
import { LEASE_MS, type WebhooksOfATask } from './webhooks-of-a-task.js';

/** What is to be delivered is found, and nothing else. */
export function describeWork(given: WebhooksOfATask): void {
  const { behind, claim, due, save, tryClaim } = given;

  describe('what is to be done', () => {
    it('is due after a retry’s wait, and not before', async () => {
      await save('now');
      await save('later');
      await given.configs.release(await claim('now'), 0, { kind: 'retry', attempts: 1, delayMs: 0 });
      await given.configs.release(await claim('later'), 0, { kind: 'retry', attempts: 1, delayMs: 60_000 });
      await expect(due()).resolves.toEqual(['now']);
      await expect(tryClaim('later')).resolves.toBeUndefined();
      await expect(claim('now')).resolves.toMatchObject({ attempts: 1 });
    });

    it('is never lost between a task that goes on and a config that parks', async () => {
      await save('c');
      const held = await claim('c');
      await given.tasks.commit(given.scope, move(given.taskId, 1, TaskState.WORKING), 1);
      await expect(given.configs.release(held, 1, { kind: 'parked' })).resolves.toBe('behind');
      await expect(given.configs.advance(held, 1, LEASE_MS)).resolves.toBe(true);
      await expect(given.configs.release(held, 2, { kind: 'parked' })).resolves.toBe('released');
      await expect(behind()).resolves.toEqual([]);
      await given.tasks.commit(given.scope, move(given.taskId, 2, TaskState.COMPLETED), 2);
      await expect(behind()).resolves.toEqual(['c']);
    });

    it('is found page by page, also for configs that nobody ever claimed', async () => {
      for (const id of ['1', '2', '3', '4', '5']) await save(id, { cursor: id === '2' ? 1 : 0 });
      await expect(behind()).resolves.toEqual(['1', '3', '4', '5']);
      const found = await given.configs.findActive([given.task, { scope: given.scope, taskId: 'none' }]);
      expect(found.map(({ configId }) => configId).toSorted()).toEqual(['1', '2', '3', '4', '5']);
    });

    it('is nothing for configs that have finished or are disabled', async () => {
      await save('finished');
      await save('disabled');
      await given.configs.release(await claim('finished'), 1, { kind: 'finished' });
      await given.configs.release(await claim('disabled'), 0, { kind: 'disabled', reason: 'gone' });
      await expect(behind()).resolves.toEqual([]);
      await expect(due()).resolves.toEqual([]);
      await expect(given.configs.findActive([given.task])).resolves.toEqual([]);
      await expect(tryClaim('disabled')).resolves.toBeUndefined();
      await expect(given.configs.find(given.scope, given.taskId, 'disabled')).resolves.toMatchObject({
        status: 'disabled',
        reason: 'gone',
      });
    });
  });
}
