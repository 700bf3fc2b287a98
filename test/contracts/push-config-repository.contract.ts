import { randomUUID } from 'node:crypto';
import {
  type PushClaim,
  type PushConfigDraft,
  type PushConfigRepository,
  type PushRef,
  type TaskRepository,
  type TaskScope,
  TaskState,
} from '@a2a/a2a-core';
import { creation, move, newScope } from './task-changes.js';

export interface PushStore {
  readonly tasks: TaskRepository;
  readonly pushConfigs: PushConfigRepository;
}

const LEASE_MS = 60_000;
const LIMITS = { perTask: 5, perOwner: 100 };

/**
 * What every PushConfigRepository promises. A new store calls this from a spec of its own.
 *
 * @param make gives both repositories of one store, opened for the whole suite
 */
export function pushConfigRepositoryContract(name: string, make: () => Promise<PushStore>): void {
  describe(`${name} as a PushConfigRepository`, () => {
    let tasks: TaskRepository;
    let configs: PushConfigRepository;
    let scope: TaskScope;
    let taskId: string;
    beforeAll(async () => {
      ({ tasks, pushConfigs: configs } = await make());
    });
    beforeEach(async () => {
      scope = newScope();
      taskId = randomUUID();
      await tasks.commit(scope, creation(taskId), 0);
    });

    const draft = (configId: string, more: Partial<PushConfigDraft> = {}): PushConfigDraft => {
      const secrets = 'v1.sealed';
      return { taskId, configId, url: 'https://hooks.example/', secrets, extensions: [], cursor: 0, isFinished: false, ...more };
    };
    const save = (configId: string, more: Partial<PushConfigDraft> = {}, limits = LIMITS) =>
      configs.save(scope, draft(configId, more), limits);
    const refOf = (configId: string): PushRef => ({ scope, taskId, configId });
    const claim = async (configId: string): Promise<PushClaim> => {
      const claimed = await configs.claim(refOf(configId), randomUUID(), LEASE_MS);
      if (!claimed) throw new Error(`${configId} could not be claimed`);
      return claimed;
    };
    const tryClaim = (configId: string) => configs.claim(refOf(configId), randomUUID(), LEASE_MS);
    const isMine = ({ scope: { agentId } }: PushRef): boolean => agentId === scope.agentId;
    const due = async () => (await configs.findDue(1_000)).filter(isMine).map(({ configId }) => configId);
    const behind = async () => {
      const found: string[] = [];
      for (let next: number | undefined = 0; next !== undefined;) {
        const page: Awaited<ReturnType<PushConfigRepository['findBehind']>> = await configs.findBehind(next, 3);
        found.push(...page.items.filter(isMine).map(({ configId }) => configId));
        next = page.next;
      }
      return found;
    };
    const troubled = async () => (await configs.findTroubled(0, 1_000)).items.filter(({ ref }) => isMine(ref));
    const letter = (version: number) => ({ version, reason: '404', attempts: 1, atMs: 1_000 });

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
        await expect(configs.find(scope, taskId, 'c')).resolves.toEqual({ ...kept, status: 'active', reason: undefined, attempts: 0 });
      });

      it('are listed in the order of their ids, in pages', async () => {
        for (const id of ['b', 'a', 'd', 'c']) await save(id);
        const ids = async (after: string | undefined, limit: number) =>
          (await configs.list(scope, taskId, after, limit)).map(({ configId }) => configId);
        await expect(ids(undefined, 3)).resolves.toEqual(['a', 'b', 'c']);
        await expect(ids('c', 3)).resolves.toEqual(['d']);
      });

      it('are gone when deleted, as often as that is asked', async () => {
        await save('c');
        await configs.delete(scope, taskId, 'c');
        await configs.delete(scope, taskId, 'c');
        await expect(configs.find(scope, taskId, 'c')).resolves.toBeUndefined();
        await expect(configs.list(scope, taskId, undefined, 9)).resolves.toEqual([]);
      });

      it.each(['agentId', 'tenant', 'owner'] as const)('do not exist for another %s', async (member) => {
        await save('c');
        const foreign = { ...scope, [member]: 'another' };
        await expect(configs.find(foreign, taskId, 'c')).resolves.toBeUndefined();
        await expect(configs.list(foreign, taskId, undefined, 9)).resolves.toEqual([]);
        await expect(configs.countActive(foreign)).resolves.toBe(0);
        await configs.delete(foreign, taskId, 'c');
        await expect(configs.claim({ scope: foreign, taskId, configId: 'c' }, 'h', LEASE_MS)).resolves.toBeUndefined();
        await expect(configs.find(scope, taskId, 'c')).resolves.toBeDefined();
        await expect(configs.save(foreign, draft('c'), LIMITS)).resolves.toBe('no such task');
      });

      it.each(["'; DROP TABLE a2a_push;--", '%', '\\', '日本', '__proto__', '$1', 'a\0b', '\ud800'])('keep the id %j', async (id) => {
        await save(id);
        await save('other');
        await expect(configs.find(scope, taskId, id)).resolves.toMatchObject({ configId: id });
        await expect(claim(id)).resolves.toMatchObject({ ref: refOf(id) });
      });

      it('are limited for a task and for an owner; replacing one takes no place [C18]', async () => {
        const limits = { perTask: 2, perOwner: 2 };
        await save('1', {}, limits);
        await save('2', {}, limits);
        await expect(save('3', {}, limits)).resolves.toBe('too many for the task');
        await expect(save('3', {}, { perTask: 5, perOwner: 2 })).resolves.toBe('too many for the owner');
        await expect(save('2', {}, limits)).resolves.toBe('saved');
        await expect(configs.countActive(scope)).resolves.toBe(2);
      });

      it('that have finished count no more, and stay so when replaced', async () => {
        await save('done', { isFinished: true });
        await expect(configs.countActive(scope)).resolves.toBe(0);
        await expect(tryClaim('done')).resolves.toBeUndefined();
        await save('done');
        await expect(configs.find(scope, taskId, 'done')).resolves.toMatchObject({ status: 'finished' });
      });
    });

    describe('a claim', () => {
      it('is given to one of many who ask at once', async () => {
        await save('c');
        const given = await Promise.all(Array.from({ length: 20 }, () => tryClaim('c')));
        expect(given.filter((one) => one !== undefined)).toHaveLength(1);
      });

      it('carries the config and how far it is', async () => {
        await save('c', { cursor: 7, url: 'https://other.example/' });
        await expect(claim('c')).resolves.toMatchObject({ cursor: 7, attempts: 0, config: { url: 'https://other.example/' } });
      });

      it('holds until it is released, and changes nothing afterwards', async () => {
        await save('c');
        const first = await claim('c');
        await expect(configs.advance(first, 2, LEASE_MS)).resolves.toBe(true);
        await expect(configs.release(first, 3, { kind: 'retry', attempts: 1, delayMs: 0 })).resolves.toBe('released');
        await expect(configs.advance(first, 9, LEASE_MS)).resolves.toBe(false);
        await expect(configs.release(first, 9, { kind: 'finished' })).resolves.toBe('lost');
        await expect(claim('c')).resolves.toMatchObject({ cursor: 3, attempts: 1 });
      });

      it('is over when its lease is, and another one takes over', async () => {
        await save('c');
        const first = await configs.claim(refOf('c'), 'first', 0);
        await expect(due()).resolves.toEqual(['c']);
        const second = await claim('c');
        await expect(configs.renew([first as PushClaim, second], LEASE_MS)).resolves.toEqual(new Set([second.holder]));
        await expect(configs.advance(first as PushClaim, 9, LEASE_MS)).resolves.toBe(false);
        await expect(configs.advance(second, 1, LEASE_MS)).resolves.toBe(true);
      });

      it('lasts longer when it is renewed', async () => {
        await save('c');
        const short = (await configs.claim(refOf('c'), 'first', 0)) as PushClaim;
        await configs.renew([short], LEASE_MS);
        await expect(due()).resolves.toEqual([]);
        await expect(tryClaim('c')).resolves.toBeUndefined();
        await expect(configs.renew([], LEASE_MS)).resolves.toEqual(new Set());
      });

      it.each(['saved', 'deleted', 'sent back'])('ends at once when the config is %s [C21]', async (what) => {
        await save('c');
        const held = await claim('c');
        if (what === 'saved') await save('c', { url: 'https://new.example/' });
        if (what === 'deleted') await configs.delete(scope, taskId, 'c');
        if (what === 'sent back') await configs.rewind(refOf('c'), 0);
        await expect(configs.advance(held, 1, LEASE_MS)).resolves.toBe(false);
        await expect(configs.renew([held], LEASE_MS)).resolves.toEqual(new Set());
      });
    });

    describe('what is to be done', () => {
      it('is due after a retry’s wait, and not before', async () => {
        await save('now');
        await save('later');
        await configs.release(await claim('now'), 0, { kind: 'retry', attempts: 1, delayMs: 0 });
        await configs.release(await claim('later'), 0, { kind: 'retry', attempts: 1, delayMs: 60_000 });
        await expect(due()).resolves.toEqual(['now']);
        await expect(tryClaim('later')).resolves.toBeUndefined();
        await expect(claim('now')).resolves.toMatchObject({ attempts: 1 });
      });

      it('is never lost between a task that goes on and a config that parks', async () => {
        await save('c');
        const held = await claim('c');
        await tasks.commit(scope, move(taskId, 1, TaskState.WORKING), 1);
        await expect(configs.release(held, 1, { kind: 'parked' })).resolves.toBe('behind');
        await expect(configs.advance(held, 1, LEASE_MS)).resolves.toBe(true);
        await expect(configs.release(held, 2, { kind: 'parked' })).resolves.toBe('released');
        await expect(behind()).resolves.toEqual([]);
        await tasks.commit(scope, move(taskId, 2, TaskState.COMPLETED), 2);
        await expect(behind()).resolves.toEqual(['c']);
      });

      it('is found page by page, also for configs that nobody ever claimed', async () => {
        for (const id of ['1', '2', '3', '4', '5']) await save(id, { cursor: id === '2' ? 1 : 0 });
        await expect(behind()).resolves.toEqual(['1', '3', '4', '5']);
        const found = await configs.findActive([
          { scope, taskId },
          { scope, taskId: 'none' },
        ]);
        expect(found.map(({ configId }) => configId).toSorted()).toEqual(['1', '2', '3', '4', '5']);
      });

      it('is nothing for configs that have finished or are disabled', async () => {
        await save('finished');
        await save('disabled');
        await configs.release(await claim('finished'), 1, { kind: 'finished' });
        await configs.release(await claim('disabled'), 0, { kind: 'disabled', reason: 'gone' });
        await expect(behind()).resolves.toEqual([]);
        await expect(due()).resolves.toEqual([]);
        await expect(configs.findActive([{ scope, taskId }])).resolves.toEqual([]);
        await expect(tryClaim('disabled')).resolves.toBeUndefined();
        await expect(configs.find(scope, taskId, 'disabled')).resolves.toMatchObject({ status: 'disabled', reason: 'gone' });
      });
    });

    describe('for operators', () => {
      it('shows what fails, is disabled or was refused, and nothing else', async () => {
        for (const id of ['fails', 'disabled', 'refused', 'well']) await save(id);
        await configs.release(await claim('fails'), 0, { kind: 'retry', attempts: 2, delayMs: 60_000 });
        await configs.release(await claim('disabled'), 0, { kind: 'disabled', reason: 'exhausted' }, letter(1));
        await configs.advance(await claim('refused'), 1, LEASE_MS, letter(1));
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
        await configs.advance(held, 2, LEASE_MS, letter(2));
        await configs.advance(held, 5, LEASE_MS, letter(5));
        await configs.release(held, 6, { kind: 'finished' });
        await expect(configs.rewind(refOf('c'))).resolves.toBe(true);
        await expect(due()).resolves.toEqual(['c']);
        await expect(troubled()).resolves.toEqual([]);
        await expect(claim('c')).resolves.toMatchObject({ cursor: 1 });
      });

      it('sends it back to where it is told, but never forward, and not when there is nothing to send', async () => {
        await save('c', { cursor: 4 });
        await configs.rewind(refOf('c'), 9);
        await expect(configs.find(scope, taskId, 'c')).resolves.toMatchObject({ cursor: 4 });
        await configs.rewind(refOf('c'), 2);
        await expect(configs.find(scope, taskId, 'c')).resolves.toMatchObject({ cursor: 2, status: 'active' });
        await configs.release(await claim('c'), 4, { kind: 'finished' });
        await configs.rewind(refOf('c'));
        await expect(configs.find(scope, taskId, 'c')).resolves.toMatchObject({ cursor: 4, status: 'finished' });
        await expect(configs.rewind(refOf('none'))).resolves.toBe(false);
      });

      it('forgets the dead letters of one config, and leaves it where it is', async () => {
        for (const id of ['c', 'other']) {
          await save(id);
          const held = await claim(id);
          await configs.advance(held, 2, LEASE_MS, letter(2));
          await configs.release(held, 3, { kind: 'finished' }, letter(3));
        }
        await expect(configs.forgetLetters(refOf('c'))).resolves.toBe(2);
        await expect(configs.forgetLetters(refOf('c'))).resolves.toBe(0);
        await expect(configs.forgetLetters(refOf('none'))).resolves.toBe(0);
        expect((await troubled()).map(({ ref }) => ref.configId)).toEqual(['other']);
        await expect(configs.find(scope, taskId, 'c')).resolves.toMatchObject({ cursor: 3, status: 'finished' });
      });

      it('lets a disabled config go on where it was, when it is saved again', async () => {
        await save('c');
        const held = await claim('c');
        await configs.advance(held, 1, LEASE_MS, letter(1));
        await configs.release(held, 1, { kind: 'disabled', reason: 'exhausted' }, letter(2));
        await save('c', { cursor: 9 });
        await expect(claim('c')).resolves.toMatchObject({ cursor: 1, attempts: 0 });
        expect((await troubled()).map(({ deadLetters }) => deadLetters)).toEqual([[letter(1)]]);
      });
    });
  });
}
