import { parseStoreUrl } from './a2a-store.options.js';

/**
 * Brings the tables of a store up to date, for deployments that do this as a step of its own (then with `migrate: false` in the module).
 *
 * @param url as in A2aStoreOptions
 */
export async function runMigrations(url: string): Promise<void> {
  const address = parseStoreUrl(url);
  if (address.dialect === 'postgres') {
    const { migratePostgres } = await import('./postgres/postgres.migration.js');
    await migratePostgres(address.url);
  } else {
    const { openSqlite } = await import('./sqlite/sqlite.connection.js');
    const { dataSource } = await openSqlite(address.file, {});
    await dataSource.destroy();
  }
}
