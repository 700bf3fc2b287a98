import { type PushClaim } from '@a2a/a2a-core';
import { LEASE_MS, type WebhooksOfATask } from './webhooks-of-a-task.js';

/** One process at a time delivers for a config. */
export function describeClaims(given: WebhooksOfATask): void {
  const { claim, due, refOf, save, tryClaim } = given;

  describe('a claim', () => {
    it('is given to one of many who ask at once', async () => {
      await save('c');
      const claims = await Promise.all(Array.from({ length: 20 }, () => tryClaim('c')));
      expect(claims.filter((one) => one !== undefined)).toHaveLength(1);
    });

    it('carries the config and how far it is', async () => {
      await save('c', { cursor: 7, url: 'https://other.example/' });
      await expect(claim('c')).resolves.toMatchObject({ cursor: 7, attempts: 0, config: { url: 'https://other.example/' } });
    });

    it('holds until it is released, and changes nothing afterwards', async () => {
      await save('c');
      const first = await claim('c');
      await expect(given.configs.advance(first, 2, LEASE_MS)).resolves.toBe(true);
      await expect(given.configs.release(first, 3, { kind: 'retry', attempts: 1, delayMs: 0 })).resolves.toBe('released');
      await expect(given.configs.advance(first, 9, LEASE_MS)).resolves.toBe(false);
      await expect(given.configs.release(first, 9, { kind: 'finished' })).resolves.toBe('lost');
      await expect(claim('c')).resolves.toMatchObject({ cursor: 3, attempts: 1 });
    });

    it('is over when its lease is, and another one takes over', async () => {
      await save('c');
      const first = await given.configs.claim(refOf('c'), 'first', 0);
      await expect(due()).resolves.toEqual(['c']);
      const second = await claim('c');
      await expect(given.configs.renew([first as PushClaim, second], LEASE_MS)).resolves.toEqual(new Set([second.holder]));
      await expect(given.configs.advance(first as PushClaim, 9, LEASE_MS)).resolves.toBe(false);
      await expect(given.configs.advance(second, 1, LEASE_MS)).resolves.toBe(true);
    });

    it('lasts longer when it is renewed', async () => {
      await save('c');
      const short = (await given.configs.claim(refOf('c'), 'first', 0)) as PushClaim;
      await given.configs.renew([short], LEASE_MS);
      await expect(due()).resolves.toEqual([]);
      await expect(tryClaim('c')).resolves.toBeUndefined();
      await expect(given.configs.renew([], LEASE_MS)).resolves.toEqual(new Set());
    });

    it.each(['saved', 'deleted', 'sent back'])('ends at once when the config is %s [C21]', async (what) => {
      await save('c');
      const held = await claim('c');
      if (what === 'saved') await save('c', { url: 'https://new.example/' });
      if (what === 'deleted') await given.configs.delete(given.scope, given.taskId, 'c');
      if (what === 'sent back') await given.configs.rewind(refOf('c'), 0);
      await expect(given.configs.advance(held, 1, LEASE_MS)).resolves.toBe(false);
      await expect(given.configs.renew([held], LEASE_MS)).resolves.toEqual(new Set());
    });
  });
}
