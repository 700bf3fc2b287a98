import { DataSource } from 'typeorm';
import { storeEntities } from '../schema/entities.js';
import { MIGRATIONS, MIGRATIONS_TABLE } from '../schema/migrations.js';

/** A number that no one else's advisory lock is likely to have. */
const LOCK = '7449346987235668581';

/**
 * Brings the tables up to date. Of several processes that start at once one does it, and the others wait for it.
 *
 * @throws when the server cannot be reached or the user may not create tables
 */
export async function migratePostgres(url: string): Promise<void> {
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    entities: storeEntities('postgres'),
    migrations: MIGRATIONS,
    migrationsTableName: MIGRATIONS_TABLE,
    logging: false,
    installExtensions: false,
    applicationName: 'a2a-store migration',
    poolSize: 2,
    connectTimeoutMS: 5_000,
  });
  await dataSource.initialize();
  const guard = dataSource.createQueryRunner();
  try {
    await guard.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await dataSource.runMigrations();
  } finally {
    // The lock ends with its connection.
    await guard.release();
    await dataSource.destroy();
  }
}
