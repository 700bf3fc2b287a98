import { type A2aStore, openStore } from '@a2a/a2a-store';
import { type HostConfig } from '../config/host.config.js';

/**
 * Works on the host's database and closes it, however that ends.
 *
 * PostgreSQL: while hosts run. SQLite: while none does, since the file belongs to one process at a time.
 *
 * @throws {Error} when the database cannot be opened, a SQLite file that a host has included
 */
export async function withHostStore<T>({ databaseUrl }: HostConfig, work: (store: A2aStore) => Promise<T>): Promise<T> {
  if (databaseUrl === 'memory:') throw new Error('what a host keeps in memory ends with it. Set DATABASE_URL, or stop the host.');
  const store = await openStore({ url: databaseUrl });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
