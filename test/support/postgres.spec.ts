import pg from 'pg';
import { startPostgres, type TestPostgres } from './postgres.js';

describe('startPostgres', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  it('gives each caller an empty database of its own', async () => {
    const [one, two] = await Promise.all([postgres.createDatabase(), postgres.createDatabase()]);
    expect(one).not.toBe(two);
    const client = new pg.Client({ connectionString: one });
    await client.connect();
    const { rows } = await client.query('SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = $1', ['public']);
    await client.end();
    expect(rows).toEqual([{ tables: 0 }]);
  });
});
