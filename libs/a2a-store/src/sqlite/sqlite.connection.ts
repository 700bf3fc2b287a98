import { UnavailableError } from '@a2a/a2a-core';
import type Database from 'better-sqlite3';
import { DataSource } from 'typeorm';
import { type A2aStoreOptions } from '../a2a-store.options.js';
import { storeEntities } from '../schema/entities.js';
import { MIGRATIONS, MIGRATIONS_TABLE } from '../schema/migrations.js';
import { sqliteCode } from './sqlite-code.js';

/** How long the start waits for a process that is just going away. */
const HANDOVER_MS = 1_000;

/** TypeORM owns the connection and the schema; the store's statements go straight to the driver, prepared once. */
export interface SqliteConnection {
  readonly dataSource: DataSource;
  readonly database: Database.Database;
}

/**
 * Opens the file, makes its directory and (unless told otherwise) its tables.
 *
 * The file is locked for this process. The lock is the operating system's, so it ends with the process, however that ends.
 *
 * @throws {Error} when another process has the file
 */
export async function openSqlite(file: string, { durability, migrate = true }: Omit<A2aStoreOptions, 'url'>): Promise<SqliteConnection> {
  let opened: Database.Database | undefined;
  const dataSource = new DataSource({
    type: 'better-sqlite3',
    database: file,
    timeout: HANDOVER_MS,
    entities: storeEntities('better-sqlite3'),
    migrations: MIGRATIONS,
    migrationsTableName: MIGRATIONS_TABLE,
    logging: false,
    prepareDatabase: (database: Database.Database) => {
      opened = database;
      lockFile(database, file);
      database.pragma(`synchronous = ${durability === 'crash' ? 'NORMAL' : 'FULL'}`);
      // What is deleted is overwritten, in the file too. Costs commits nothing that can be measured.
      database.pragma('secure_delete = ON');
      database.pragma('wal_autocheckpoint = 4000');
      database.pragma('busy_timeout = 5000');
    },
  });
  try {
    await dataSource.initialize();
    if (!opened) throw new Error('A2aStoreModule: TypeORM opened no database');
    if (migrate) await dataSource.runMigrations();
    return { dataSource, database: opened };
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    else opened?.close();
    throw error;
  }
}

function lockFile(database: Database.Database, file: string): void {
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = WAL');
    database.exec('BEGIN EXCLUSIVE; COMMIT');
  } catch (error) {
    if (!sqliteCode(error)?.startsWith('SQLITE_BUSY')) throw error;
    throw new Error(
      `A2aStoreModule: ${file} is in use by another process. SQLite serves one process: stop the other one, or let several share ` +
        'PostgreSQL (url: postgres://user:password@host:5432/database)',
      { cause: error },
    );
  }
}

/** @throws {UnavailableError} when the store was closed */
export function checkOpen(database: Database.Database): void {
  if (!database.open) throw new UnavailableError('The store is closed');
}
