import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryTaskRepository, TaskState, type TaskQuery, type TaskRepository } from '@a2a/a2a-core';
import { openStore } from '@a2a/a2a-store';
import { describeStore, type StoreName } from '../support/selected-stores.js';
import { OWNER_SCOPE, seedOurs } from './servers/ours.seed.js';
import { SMALL_CONTEXT } from './servers/seeded-tasks.js';

const FEW = 1_000;
const MANY = 50_000;
const CALLS = 200;

/** Counting every task anew, or sorting them, would be fifty times as much. */
const LOOSE = 8;

const QUESTIONS: readonly [string, TaskQuery][] = [
  ['the first page', { limit: 50 }],
  ['a deep page', { limit: 50, after: { statusAtMs: Date.UTC(2026, 0, 1) + 200_000, taskId: 'task-00000000' } }],
  ['a page by state', { limit: 50, state: TaskState.FAILED }],
  ['a page by context', { limit: 50, contextId: SMALL_CONTEXT }],
];

describeStore('memory', 'lists in memory', () => listsIn('memory'));
describeStore('sqlite', 'lists in SQLite', () => listsIn('sqlite'));

function listsIn(store: StoreName): void {
  let directory: string;
  const repositories: { few?: TaskRepository; many?: TaskRepository } = {};
  const closing: (() => Promise<void>)[] = [];

  const openWith = async (count: number): Promise<TaskRepository> => {
    if (store === 'memory') {
      const repository = new InMemoryTaskRepository();
      await seedOurs(repository, count);
      return repository;
    }
    const { tasks, close } = await openStore({ url: `sqlite:${join(directory, `${count}.sqlite`)}`, durability: 'crash' });
    closing.push(close);
    await seedOurs(tasks, count);
    return tasks;
  };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'a2a-lists-'));
    repositories.few = await openWith(FEW);
    repositories.many = await openWith(MANY);
  });
  afterAll(async () => {
    for (const close of closing) await close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** @returns CPU microseconds of the cheapest of a few */
  const costOf = async (repository: TaskRepository | undefined, query: TaskQuery): Promise<number> => {
    let least = Infinity;
    for (let time = 0; time < 4; time++) {
      const before = process.cpuUsage();
      for (let call = 0; call < CALLS; call++) await repository?.list(OWNER_SCOPE, query);
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, user + system);
    }
    return least;
  };

  it.each(QUESTIONS)('cost for %s what the page costs, not what the store holds [W5]', async (_, query) => {
    expect((await repositories.many?.list(OWNER_SCOPE, query))?.heads).toHaveLength(50);
    const ratio = (await costOf(repositories.many, query)) / (await costOf(repositories.few, query));
    expect(ratio).toBeLessThan(LOOSE);
  });
}
