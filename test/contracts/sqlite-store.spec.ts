import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { TaskState } from '@a2a/a2a-core';
import { type A2aStore, openStore, runMigrations } from '@a2a/a2a-store';
import { startChild } from './child.js';
import { durableStoreContract } from './durable-store.contract.js';
import { describeStore } from '../support/selected-stores.js';
import { stateStoreContract } from './state-store.contract.js';
import { creation, newScope } from './task-changes.js';
import { taskRepositoryContract } from './task-repository.contract.js';

describeStore('sqlite', 'the store in SQLite', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'a2a-sqlite-'));
  const opened: A2aStore[] = [];
  let files = 0;
  const newFile = (): string => path.join(directory, `${++files}`, 'deep', 'a2a.sqlite');
  const open = async (options: { receiptTtlMs?: number } = {}): Promise<A2aStore> => {
    const store = await openStore({ url: 'sqlite::memory:', ...options });
    opened.push(store);
    return store;
  };
  afterAll(async () => {
    for (const store of opened) await store.close();
    rmSync(directory, { recursive: true, force: true });
  });

  taskRepositoryContract('SqliteTaskRepository', async (options) => (await open(options)).tasks);
  stateStoreContract('SqliteStateStore', async () => (await open()).states);
  durableStoreContract('The SQLite store', async () => `sqlite:${newFile()}`);

  it('makes the directory of its file', async () => {
    const file = newFile();
    const store = await openStore({ url: `sqlite:${file}` });
    expect(existsSync(file)).toBe(true);
    await store.close();
  });

  it('counts every unfinished task as abandoned when the file is opened anew, however long its runner said it lives', async () => {
    const url = `sqlite:${newFile()}`;
    const scope = newScope();
    const first = await openStore({ url });
    await first.tasks.keepAlive('runner', 3_600_000);
    await first.tasks.commit(scope, creation('running', { runner: 'runner' }), 0);
    await first.tasks.commit(scope, creation('done', { state: TaskState.COMPLETED }), 0);
    await expect(first.tasks.findAbandoned(10)).resolves.toEqual([]);
    await first.close();
    const second = await openStore({ url });
    await expect(second.tasks.findAbandoned(10)).resolves.toEqual([{ scope, taskId: 'running' }]);
    await second.close();
  });

  it('refuses a second process and names PostgreSQL, and lets it in once the first is gone', async () => {
    const url = `sqlite:${newFile()}`;
    const store = await openStore({ url });
    const openElsewhere = async (): Promise<string> => {
      const child = startChild('opening.child.ts', url);
      const [answer] = await Promise.all([text(child.stdout ?? process.stdin), once(child, 'exit')]);
      return answer;
    };
    await expect(openElsewhere()).resolves.toMatch(/in use by another process.*PostgreSQL/);
    await expect(openStore({ url })).rejects.toThrow('in use by another process');
    await expect(store.tasks.commit(newScope(), creation('t'), 0)).resolves.toBe(1);
    await store.close();
    await expect(openElsewhere()).resolves.toBe('opened');
  });

  it('leaves the tables alone with `migrate: false`, and finds those that runMigrations made', async () => {
    const url = `sqlite:${newFile()}`;
    await expect(openStore({ url, migrate: false })).rejects.toMatchObject({ message: expect.stringContaining('no such table') });
    await runMigrations(url);
    await runMigrations(url);
    const store = await openStore({ url, migrate: false, durability: 'crash' });
    await expect(store.tasks.commit(newScope(), creation('t'), 0)).resolves.toBe(1);
    await store.close();
  });
});
