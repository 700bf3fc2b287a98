import { type StateStore, type TaskScope } from '@a2a/a2a-core';
import { type JsonValue } from '@bufbuild/protobuf';
import { describeValueRemoval } from './state-removal.contract.js';
import { newScope } from './task-changes.js';

/** What every StateStore promises. A new store calls this from a spec of its own. */
export function stateStoreContract(name: string, make: () => Promise<StateStore>): void {
  describe(`${name} as a StateStore`, () => {
    let states: StateStore;
    let scope: TaskScope;
    beforeAll(async () => {
      states = await make();
    });
    beforeEach(() => {
      scope = newScope();
    });

    const set = (key: string, value: JsonValue | undefined, namespace = 'n', owner = scope) =>
      states.update(owner, namespace, key, () => value);

    it('keeps a value until it is replaced or removed', async () => {
      await expect(states.get(scope, 'n', 'k')).resolves.toBeUndefined();
      await expect(set('k', { a: [1, null, 'x'] })).resolves.toEqual({ a: [1, null, 'x'] });
      await expect(states.get(scope, 'n', 'k')).resolves.toEqual({ a: [1, null, 'x'] });
      await expect(states.update(scope, 'n', 'k', (present) => [present ?? null, 2])).resolves.toEqual([{ a: [1, null, 'x'] }, 2]);
      await expect(set('k', undefined)).resolves.toBeUndefined();
      await expect(states.get(scope, 'n', 'k')).resolves.toBeUndefined();
      await expect(set('k', undefined)).resolves.toBeUndefined();
    });

    it('tells null from absent', async () => {
      await expect(set('k', null)).resolves.toBeNull();
      await expect(states.get(scope, 'n', 'k')).resolves.toBeNull();
    });

    it('loses none of 40 parallel updates', async () => {
      await Promise.all(
        Array.from({ length: 40 }, () => states.update(scope, 'n', 'count', (present) => ((present as number | undefined) ?? 0) + 1)),
      );
      await expect(states.get(scope, 'n', 'count')).resolves.toBe(40);
    });

    it('keeps what it was when a change throws, and goes on', async () => {
      await set('k', 'before');
      const failing = states.update(scope, 'n', 'k', () => {
        throw new Error('no');
      });
      const beside = set('other', 'written');
      await expect(failing).rejects.toThrow('no');
      await expect(beside).resolves.toBe('written');
      await expect(states.get(scope, 'n', 'k')).resolves.toBe('before');
    });

    it('shares nothing with its callers', async () => {
      const value = { list: [1] };
      const stored = (await set('k', value)) as { list: number[] };
      value.list.push(2);
      stored.list.push(3);
      ((await states.get(scope, 'n', 'k')) as { list: number[] }).list.push(4);
      await states.update(scope, 'n', 'other', () => value);
      await expect(states.get(scope, 'n', 'k')).resolves.toEqual({ list: [1] });
    });

    it.each(["'; DROP TABLE a2a_state;--", '%_\\', '__proto__', 'a\0b', '\ud800', '\udbff', '日本', '', ' ', '$6'])(
      'keeps the key, namespace and value %j apart from every other',
      async (text) => {
        await set(text, text, text);
        await expect(states.get(scope, text, text)).resolves.toBe(text);
        for (const other of ['x', `${text} `, `${text}\0`, '\ufffd']) await expect(states.get(scope, text, other)).resolves.toBeUndefined();
      },
    );

    it('keeps JSON as it is: U+0000, lone surrogates, __proto__', async () => {
      const value = JSON.parse('{"nul":"\\u0000","lone":"\\udfff","__proto__":{"x":1}}') as JsonValue;
      await set('k', value);
      expect(JSON.stringify(await states.get(scope, 'n', 'k'))).toBe(JSON.stringify(value));
    });

    it.each([
      ['agent', { agentId: 'another' }],
      ['tenant', { tenant: 'umbrella' }],
      ['owner', { owner: 'bob' }],
    ])('has another value for another %s', async (_, difference: Partial<TaskScope>) => {
      await set('k', 'mine');
      const foreign = { ...scope, ...difference, ...(difference.agentId ? { agentId: `${scope.agentId}-other` } : {}) };
      await expect(states.get(foreign, 'n', 'k')).resolves.toBeUndefined();
      await states.update(foreign, 'n', 'k', (present) => present ?? 'theirs');
      await expect(states.get(scope, 'n', 'k')).resolves.toBe('mine');
      await expect(states.get(scope, 'm', 'k')).resolves.toBeUndefined();
    });

    describeValueRemoval(make);
  });
}
