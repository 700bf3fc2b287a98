import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { InMemoryTaskStore, type TaskStore } from '@a2a-js/sdk/server';
import { DatabaseTaskStore } from '@a2a-js/sdk/server/database';
import Database from 'better-sqlite3';
import { type Dialect, Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import pg from 'pg';

/** The SDK's own store for `sqlite:<file>` or `postgres://…`, its tables made by its own command; in memory without a URL. */
export function openSdkStore(url: string | undefined): TaskStore {
  if (url === undefined) return new InMemoryTaskStore();
  const command = createRequire(import.meta.url)
    .resolve('@a2a-js/sdk/server')
    .replace(/dist\/server\/.*$/, 'dist/cli/a2a_db.js');
  execFileSync(process.execPath, [command, 'upgrade', '--url', url], { stdio: ['ignore', 'ignore', 'inherit'] });
  return new DatabaseTaskStore(new Kysely({ dialect: dialectFor(url) }));
}

/** At its leanest: a loss of power may take the last commits of its SQLite. */
function dialectFor(url: string): Dialect {
  if (url.startsWith('postgres:')) return new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 10 }) });
  const database = new Database(url.replace(/^sqlite:/, ''));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  return new SqliteDialect({ database });
}
