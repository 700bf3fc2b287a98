import { type A2aStore, openStore } from '@a2a/a2a-store';
import { startPostgres, type TestPostgres } from '../support/postgres.js';
import { describeStore } from './selected-stores.js';
import { stateStoreContract } from './state-store.contract.js';
import { taskRepositoryContract } from './task-repository.contract.js';

describeStore('postgres', 'the store in PostgreSQL', () => {
  let postgres: TestPostgres;
  let url: string;
  const opened: A2aStore[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase();
  });
  afterAll(async () => {
    for (const store of opened) await store.close();
    await postgres.stop();
  });
  const open = async (options: { receiptTtlMs?: number } = {}): Promise<A2aStore> => {
    const store = await openStore({ url, ...options });
    opened.push(store);
    return store;
  };

  taskRepositoryContract('PostgresTaskRepository', async (options) => (await open(options)).tasks);
  stateStoreContract('PostgresStateStore', async () => (await open()).states);
});
