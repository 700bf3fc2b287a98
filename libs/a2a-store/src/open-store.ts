import { type A2aStoreOptions, parseStoreUrl } from './a2a-store.options.js';
import { type A2aStore } from './store.js';

/**
 * Opens the database behind `options.url`; the driver is loaded only now.
 *
 * @throws {Error} when the URL is of no known form, the tables cannot be made, or (SQLite) another process has the file
 */
export async function openStore(options: A2aStoreOptions): Promise<A2aStore> {
  const address = parseStoreUrl(options.url);
  if (address.dialect === 'sqlite') {
    const { openSqliteStore } = await import('./sqlite/sqlite.store.js');
    return openSqliteStore(address.file, options);
  }
  const { openPostgresStore } = await import('./postgres/postgres.store.js');
  return openPostgresStore(address.url, options);
}
