import { type A2aStore, openStore } from '@a2a/a2a-store';
import { describeStore } from './selected-stores.js';
import { stateStoreContract } from './state-store.contract.js';
import { taskRepositoryContract } from './task-repository.contract.js';

describeStore('sqlite', 'the store in SQLite', () => {
  const opened: A2aStore[] = [];
  const open = async (options: { receiptTtlMs?: number } = {}): Promise<A2aStore> => {
    const store = await openStore({ url: 'sqlite::memory:', ...options });
    opened.push(store);
    return store;
  };
  afterAll(async () => {
    for (const store of opened) await store.close();
  });

  taskRepositoryContract('SqliteTaskRepository', async (options) => (await open(options)).tasks);
  stateStoreContract('SqliteStateStore', async () => (await open()).states);
});
