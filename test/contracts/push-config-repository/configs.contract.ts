import { LEASE_MS, LIMITS, type WebhooksOfATask } from './webhooks-of-a-task.js';

/** Configs are kept for one task of one owner. */
export function describeConfigs(given: WebhooksOfATask): void {
  const { claim, draft, refOf, save, tryClaim } = given;

  describe('configs', () => {
    it('come back as they were saved', async () => {
      const config = {
        url: 'https://hooks.example/?a=1',
        scheme: 'Bearer',
        secrets: 'v1.a.b',
        extensions: ['urn:x', 'urn:y'],
        cursor: 3,
      };
      await expect(save('c', config)).resolves.toBe('saved');
      const { isFinished: _, ...kept } = draft('c', config);
      await expect(given.configs.find(given.scope, given.taskId, 'c')).resolves.toEqual({
        ...kept,
        status: 'active',
        reason: undefined,
        attempts: 0,
      });
    });

    it('are listed in the order of their ids, in pages', async () => {
      for (const id of ['b', 'a', 'd', 'c']) await save(id);
      const ids = async (after: string | undefined, limit: number) =>
        (await given.configs.list(given.scope, given.taskId, after, limit)).map(({ configId }) => configId);
      await expect(ids(undefined, 3)).resolves.toEqual(['a', 'b', 'c']);
      await expect(ids('c', 3)).resolves.toEqual(['d']);
    });

    it('are gone when deleted, as often as that is asked', async () => {
      await save('c');
      await given.configs.delete(given.scope, given.taskId, 'c');
      await given.configs.delete(given.scope, given.taskId, 'c');
      await expect(given.configs.find(given.scope, given.taskId, 'c')).resolves.toBeUndefined();
      await expect(given.configs.list(given.scope, given.taskId, undefined, 9)).resolves.toEqual([]);
    });

    it.each(['agentId', 'tenant', 'owner'] as const)('do not exist for another %s', async (member) => {
      await save('c');
      const foreign = { ...given.scope, [member]: 'another' };
      await expect(given.configs.find(foreign, given.taskId, 'c')).resolves.toBeUndefined();
      await expect(given.configs.list(foreign, given.taskId, undefined, 9)).resolves.toEqual([]);
      await expect(given.configs.countActive(foreign)).resolves.toBe(0);
      await given.configs.delete(foreign, given.taskId, 'c');
      await expect(given.configs.claim({ scope: foreign, taskId: given.taskId, configId: 'c' }, 'h', LEASE_MS)).resolves.toBeUndefined();
      await expect(given.configs.find(given.scope, given.taskId, 'c')).resolves.toBeDefined();
      await expect(given.configs.save(foreign, draft('c'), LIMITS)).resolves.toBe('no such task');
    });

    it.each(["'; DROP TABLE a2a_push;--", '%', '\\', '日本', '__proto__', '$1', 'a\0b', '\ud800'])('keep the id %j', async (id) => {
      await save(id);
      await save('other');
      await expect(given.configs.find(given.scope, given.taskId, id)).resolves.toMatchObject({ configId: id });
      await expect(claim(id)).resolves.toMatchObject({ ref: refOf(id) });
    });

    it('are limited for a task and for an owner; replacing one takes no place [C18]', async () => {
      const limits = { perTask: 2, perOwner: 2 };
      await save('1', {}, limits);
      await save('2', {}, limits);
      await expect(save('3', {}, limits)).resolves.toBe('too many for the task');
      await expect(save('3', {}, { perTask: 5, perOwner: 2 })).resolves.toBe('too many for the owner');
      await expect(save('2', {}, limits)).resolves.toBe('saved');
      await expect(given.configs.countActive(given.scope)).resolves.toBe(2);
    });

    it('that have finished count no more, and stay so when replaced', async () => {
      await save('done', { isFinished: true });
      await expect(given.configs.countActive(given.scope)).resolves.toBe(0);
      await expect(tryClaim('done')).resolves.toBeUndefined();
      await save('done');
      await expect(given.configs.find(given.scope, given.taskId, 'done')).resolves.toMatchObject({ status: 'finished' });
    });
  });
}
