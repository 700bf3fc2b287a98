import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from './postgres.js';
import { isSelected } from './selected-stores.js';

/** A database that outlives the hosts that use it. */
export interface DurableDatabase {
  /** Settings of a host that uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** Everything that is stored, as text. */
  contents(): Promise<string>;
  close(): Promise<void>;
}

/** Opens an empty one before the tests of the block and removes it behind them: SQLite, or PostgreSQL where SQLite is left out. */
export function useDurableDatabase(): () => DurableDatabase {
  let database: DurableDatabase | undefined;
  beforeAll(async () => {
    database = isSelected('sqlite') ? sqliteDatabase() : await postgresDatabase();
  });
  afterAll(() => database?.close());
  return () => {
    if (!database) throw new Error('The database is not open yet');
    return database;
  };
}

function sqliteDatabase(): DurableDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-database-'));
  return {
    env: { DATABASE_URL: `sqlite:${join(folder, 'a2a.sqlite')}` },
    contents: async () =>
      readdirSync(folder)
        .map((file) => readFileSync(join(folder, file), 'latin1'))
        .join('\n'),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function postgresDatabase(): Promise<DurableDatabase> {
  const server = await startPostgres();
  const url = await server.createDatabase();
  return {
    env: { DATABASE_URL: url, A2A_SECRET: 'a secret that every process of this host has' },
    contents: () => rowsOf(url),
    close: () => server.stop(),
  };
}

async function rowsOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`);
      for (const { row } of rows) texts.push(row, binaryIn(row));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}

/** What PostgreSQL shows of byte strings is hexadecimal. */
function binaryIn(row: string): string {
  return [...row.matchAll(/\\x([0-9a-f]+)/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join('\n');
}
