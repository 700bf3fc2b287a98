import { type DataSource } from 'typeorm';
import { describeStore } from '../../../../test/support/selected-stores.js';
import { startPostgres, type TestPostgres } from '../../../../test/support/postgres.js';
import { migratePostgres } from '../postgres/postgres.migration.js';
import { PostgresConnection } from '../postgres/postgres.connection.js';
import { Removal1796200000000 } from './1796200000000-removal.migration.js';
import { MIGRATIONS } from './migrations.js';
import { openSqlite } from '../sqlite/sqlite.connection.js';

/** What TypeORM would change to make the database fit the entities. */
async function driftOf(dataSource: DataSource): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}

describeStore('sqlite', 'the schema in SQLite', () => {
  it('is what the entities say', async () => {
    const { dataSource } = await openSqlite(':memory:', {});
    const drift = await driftOf(dataSource);
    await dataSource.query('ALTER TABLE a2a_task ADD COLUMN surplus text');
    const drifted = await driftOf(dataSource);
    await dataSource.destroy();
    expect(drift).toEqual([]);
    expect(drifted).not.toEqual([]);
  });

  it('can be taken back', async () => {
    const { dataSource } = await openSqlite(':memory:', {});
    for (const _ of MIGRATIONS) await dataSource.undoLastMigration();
    const left: unknown = await dataSource.query(
      "SELECT name FROM sqlite_master WHERE name LIKE 'a2a\\_%' ESCAPE '\\' AND name <> 'a2a_migration'",
    );
    await dataSource.destroy();
    expect(left).toEqual([]);
  });

  it('counts values that were there before it knew their age as written when it learned', async () => {
    const { dataSource } = await openSqlite(':memory:', {});
    const runner = dataSource.createQueryRunner();
    const before = Date.now();
    await new Removal1796200000000().down(runner);
    await runner.query("INSERT INTO a2a_state (agent, tenant, owner, namespace, name, value) VALUES ('a', '', 'o', 'n', 'k', '1')");
    await new Removal1796200000000().up(runner);
    const [row] = (await runner.query('SELECT written_at FROM a2a_state')) as { written_at: number }[];
    await dataSource.destroy();
    expect(row?.written_at).toBeGreaterThanOrEqual(before);
  });
});

describeStore('postgres', 'the schema in PostgreSQL', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  it('is what the entities say', async () => {
    const url = await postgres.createDatabase();
    await migratePostgres(url);
    const connection = await PostgresConnection.open(url, {});
    const drift = await driftOf(connection.dataSource);
    await connection.dataSource.query('ALTER TABLE a2a_task ADD COLUMN surplus text');
    const drifted = await driftOf(connection.dataSource);
    await connection.close();
    expect(drift).toEqual([]);
    expect(drifted).not.toEqual([]);
  });
});
