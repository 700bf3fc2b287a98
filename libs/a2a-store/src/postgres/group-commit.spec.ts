import { UnavailableError } from '@a2a/a2a-core';
import { GroupCommit } from './group-commit.js';

interface Item {
  readonly keys: readonly string[];
  readonly name: string;
}

/** Records the groups; what is named `bad` fails its group. */
function recorder(failure: Error = new Error('refused')) {
  const groups: string[][] = [];
  const commits = new GroupCommit<Item, string>(
    ({ keys }) => keys,
    async (items) => {
      groups.push(items.map(({ name }) => name));
      await Promise.resolve();
      if (items.some(({ name }) => name === 'bad')) throw failure;
      return items.map(({ name }) => `${name} done`);
    },
  );
  const run = (name: string, ...keys: string[]) => commits.run({ name, keys });
  return { groups, run, commits };
}

describe('GroupCommit', () => {
  it('sends what comes in one turn of the event loop together, and gives each its own result', async () => {
    const { groups, run } = recorder();
    await expect(Promise.all([run('a', '1'), run('b', '2'), run('c', '3')])).resolves.toEqual(['a done', 'b done', 'c done']);
    expect(groups).toEqual([['a', 'b', 'c']]);
  });

  it('keeps items of one key apart and in order, whichever key they share', async () => {
    const { groups, run } = recorder();
    await Promise.all([run('a1', 't1', 'm1'), run('b1', 't2', 'm1'), run('b2', 't2'), run('a2', 't1'), run('c', 't3')]);
    expect(groups).toEqual([['a1', 'c'], ['b1', 'a2'], ['b2']]);
  });

  it('lets no later item of a task pass one that had to wait', async () => {
    const { groups, run } = recorder();
    await Promise.all([run('x', 'm'), run('t-first', 't', 'm'), run('t-second', 't')]);
    expect(groups).toEqual([['x'], ['t-first'], ['t-second']]);
  });

  it('makes groups of at most 128', async () => {
    const { groups, run } = recorder();
    await Promise.all(Array.from({ length: 300 }, (_, index) => run(`${index}`, `${index}`)));
    expect(groups.map(({ length }) => length)).toEqual([128, 128, 44]);
    expect(groups.flat()).toEqual(Array.from({ length: 300 }, (_, index) => `${index}`));
  });

  it('tries each of a refused group alone, so that only the culprit fails', async () => {
    const { groups, run } = recorder();
    const outcomes = await Promise.allSettled([run('a', '1'), run('bad', '2'), run('c', '3')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(groups).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  });

  it('does not try each alone when the database is away', async () => {
    const { groups, run } = recorder(new UnavailableError());
    const outcomes = await Promise.allSettled([run('a', '1'), run('bad', '2')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(groups).toEqual([['a', 'bad']]);
  });

  it('is idle when everything has its result', async () => {
    const { run, commits } = recorder();
    const settled: string[] = [];
    void run('a', '1').then((result) => settled.push(result));
    void run('b', '1').then((result) => settled.push(result));
    await commits.idle();
    expect(settled).toEqual(['a done', 'b done']);
    await expect(commits.idle()).resolves.toBeUndefined();
  });
});
