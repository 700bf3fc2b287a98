import { LEASE_MS, letter, type WebhooksOfATask } from './webhooks-of-a-task.js';

/** What operators see and do. */
export function describeOperators(given: WebhooksOfATask): void {
  const { claim, due, refOf, save, troubled } = given;

  describe('for operators', () => {
    it('shows what fails, is disabled or was refused, and nothing else', async () => {
      for (const id of ['fails', 'disabled', 'refused', 'well']) await save(id);
      await given.configs.release(await claim('fails'), 0, { kind: 'retry', attempts: 2, delayMs: 60_000 });
      await given.configs.release(await claim('disabled'), 0, { kind: 'disabled', reason: 'exhausted' }, letter(1));
      await given.configs.advance(await claim('refused'), 1, LEASE_MS, letter(1));
      await claim('well');
      const found = await troubled();
      expect(found.map(({ ref, config, deadLetters }) => [ref.configId, config.status, config.attempts, deadLetters])).toEqual([
        ['fails', 'active', 2, []],
        ['disabled', 'disabled', 0, [letter(1)]],
        ['refused', 'active', 0, [letter(1)]],
      ]);
    });

    it('sends a config back to before its first dead letter, and forgets the letters', async () => {
      await save('c');
      const held = await claim('c');
      await given.configs.advance(held, 2, LEASE_MS, letter(2));
      await given.configs.advance(held, 5, LEASE_MS, letter(5));
      await given.configs.release(held, 6, { kind: 'finished' });
      await expect(given.configs.rewind(refOf('c'))).resolves.toBe(true);
      await expect(due()).resolves.toEqual(['c']);
      await expect(troubled()).resolves.toEqual([]);
      await expect(claim('c')).resolves.toMatchObject({ cursor: 1 });
    });

    it('sends it back to where it is told, but never forward, and not when there is nothing to send', async () => {
      await save('c', { cursor: 4 });
      await given.configs.rewind(refOf('c'), 9);
      await expect(given.configs.find(given.scope, given.taskId, 'c')).resolves.toMatchObject({ cursor: 4 });
      await given.configs.rewind(refOf('c'), 2);
      await expect(given.configs.find(given.scope, given.taskId, 'c')).resolves.toMatchObject({ cursor: 2, status: 'active' });
      await given.configs.release(await claim('c'), 4, { kind: 'finished' });
      await given.configs.rewind(refOf('c'));
      await expect(given.configs.find(given.scope, given.taskId, 'c')).resolves.toMatchObject({ cursor: 4, status: 'finished' });
      await expect(given.configs.rewind(refOf('none'))).resolves.toBe(false);
    });

    it('forgets the dead letters of one config, and leaves it where it is', async () => {
      for (const id of ['c', 'other']) {
        await save(id);
        const held = await claim(id);
        await given.configs.advance(held, 2, LEASE_MS, letter(2));
        await given.configs.release(held, 3, { kind: 'finished' }, letter(3));
      }
      await expect(given.configs.forgetLetters(refOf('c'))).resolves.toBe(2);
      await expect(given.configs.forgetLetters(refOf('c'))).resolves.toBe(0);
      await expect(given.configs.forgetLetters(refOf('none'))).resolves.toBe(0);
      expect((await troubled()).map(({ ref }) => ref.configId)).toEqual(['other']);
      await expect(given.configs.find(given.scope, given.taskId, 'c')).resolves.toMatchObject({ cursor: 3, status: 'finished' });
    });

    it('lets a disabled config go on where it was, when it is saved again', async () => {
      await save('c');
      const held = await claim('c');
      await given.configs.advance(held, 1, LEASE_MS, letter(1));
      await given.configs.release(held, 1, { kind: 'disabled', reason: 'exhausted' }, letter(2));
      await save('c', { cursor: 9 });
      await expect(claim('c')).resolves.toMatchObject({ cursor: 1, attempts: 0 });
      expect((await troubled()).map(({ deadLetters }) => deadLetters)).toEqual([[letter(1)]]);
    });
  });
}
