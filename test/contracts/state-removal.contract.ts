import { randomUUID } from 'node:crypto';
import { type StateStore, type TaskScope } from '@a2a/a2a-core';
import { newScope } from './task-changes.js';

/** What every StateStore promises of removing values and of finding them. */
export function describeValueRemoval(make: () => Promise<StateStore>): void {
  describe('removal', () => {
    let states: StateStore;
    let scope: TaskScope;
    beforeAll(async () => {
      states = await make();
    });
    beforeEach(() => {
      scope = newScope();
    });

    const set = async (namespace: string, keys: readonly string[], owner = scope): Promise<void> => {
      for (const key of keys) await states.update(owner, namespace, key, () => `${namespace}/${key}`);
    };
    const keysOf = async (namespace: string, owner = scope): Promise<string[]> =>
      (await states.list(owner, namespace, undefined, 100)).map(({ key }) => key).toSorted();

    it('lists a namespace page by page, each value once', async () => {
      await set('n', ['a', 'b', '', 'é\0', '\ud800', 'c']);
      await set('m', ['d']);
      await set('n', ['e'], { ...scope, owner: 'eve' });
      const seen: string[] = [];
      for (let page = await states.list(scope, 'n', undefined, 2); page.length > 0;) {
        for (const { key, value } of page) expect(value).toBe(`n/${key}`);
        seen.push(...page.map(({ key }) => key));
        page = await states.list(scope, 'n', seen.at(-1), 2);
      }
      expect(seen.toSorted()).toEqual(['a', 'b', '', 'é\0', '\ud800', 'c'].toSorted());
      await expect(states.list(scope, 'nothing', undefined, 5)).resolves.toEqual([]);
    });

    it('deletes a namespace and leaves the others [SECC-60]', async () => {
      await set('context:a', ['1', '2', '3']);
      await set('context:b', ['1']);
      await set('caller', ['1']);
      await expect(states.delete(scope, 2, 'context:a')).resolves.toBe(2);
      await expect(states.delete(scope, 2, 'context:a')).resolves.toBe(1);
      await expect(states.delete(scope, 2, 'context:a')).resolves.toBe(0);
      await expect(states.get(scope, 'context:a', '1')).resolves.toBeUndefined();
      expect([await keysOf('context:b'), await keysOf('caller')]).toEqual([['1'], ['1']]);
    });

    it('deletes all of a scope and leaves the others [SECC-60]', async () => {
      const foreign = { ...scope, owner: 'eve' };
      await set('context:a', ['1', '2']);
      await set('caller', ['1']);
      await set('caller', ['1'], foreign);
      await expect(states.delete(scope, 100)).resolves.toBe(3);
      expect([await keysOf('context:a'), await keysOf('caller'), await keysOf('caller', foreign)]).toEqual([[], [], ['1']]);
    });

    it('deletes what was not written since a moment; writing the same again counts as written', async () => {
      const old = newScope();
      await set('n', ['gone', 'kept'], old);
      const moment = await momentAfter(Date.now());
      await set('n', ['kept', 'new'], old);
      let deleted = 0;
      for (let now = await states.deleteUnwritten(moment, 50); now > 0; now = await states.deleteUnwritten(moment, 50)) deleted += now;
      expect(deleted).toBeGreaterThan(0);
      expect(await keysOf('n', old)).toEqual(['kept', 'new']);
      await expect(states.deleteUnwritten(moment, 50)).resolves.toBe(0);
    });

    it('deletes no more at once than asked for', async () => {
      await set('n', ['a', 'b', 'c']);
      const moment = await momentAfter(Date.now());
      await expect(states.deleteUnwritten(moment, 1)).resolves.toBe(1);
      expect((await states.delete(scope, 100)) + 1).toBeGreaterThanOrEqual(3);
    });

    it('finds every agent and tenant where an owner has values', async () => {
      const owner = `ö'${randomUUID()}\0`;
      const [one, two] = [newScope({ owner }), newScope({ owner, tenant: '' })];
      await set('n', ['a', 'b'], one);
      await set('n', ['a'], two);
      await set('n', ['a'], newScope({ owner: `${owner}2` }));
      const byAgent = (a: TaskScope, b: TaskScope): number => (a.agentId < b.agentId ? -1 : 1);
      expect((await states.findScopes(owner)).toSorted(byAgent)).toEqual([one, two].toSorted(byAgent));
      await states.delete(one, 100);
      await expect(states.findScopes(owner)).resolves.toEqual([two]);
    });
  });
}

/** The clock has moved on when this resolves, so that what follows is later by the clock of any store on this machine. */
async function momentAfter(ms: number): Promise<number> {
  while (Date.now() <= ms + 1) await new Promise(setImmediate);
  return Date.now();
}
