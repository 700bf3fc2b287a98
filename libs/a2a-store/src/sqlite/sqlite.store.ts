import { type A2aStoreOptions, DEFAULT_RECEIPT_TTL_MS } from '../a2a-store.options.js';
import { Housekeeping } from '../housekeeping.js';
import { type A2aStore } from '../store.js';
import { checkOpen, openSqlite, type SqliteConnection } from './sqlite.connection.js';
import { SqliteRemoval } from './sqlite-removal.js';
import { SqlitePushConfigRepository } from './sqlite-push-config.repository.js';
import { SqliteStateStore } from './sqlite-state.store.js';
import { SqliteTaskRepository } from './sqlite-task.repository.js';
import { WriteQueue } from './write-queue.js';

/** Opens a SQLite file as a store. Since no other process can have it open, every runner of an earlier one is gone. */
export async function openSqliteStore(file: string, options: Omit<A2aStoreOptions, 'url'>): Promise<A2aStore> {
  const connection = await openSqlite(file, options);
  try {
    return createStore(connection, options.receiptTtlMs ?? DEFAULT_RECEIPT_TTL_MS);
  } catch (error) {
    await connection.dataSource.destroy();
    throw error;
  }
}

function createStore({ dataSource, database }: SqliteConnection, receiptTtlMs: number): A2aStore {
  database.exec('DELETE FROM a2a_runner');
  const queue = new WriteQueue(database);
  const removal = new SqliteRemoval(database, queue);
  const tasks = new SqliteTaskRepository(database, queue, removal, receiptTtlMs);
  const states = new SqliteStateStore(database, queue);
  const pushConfigs = new SqlitePushConfigRepository(database, queue);
  const ping = database.prepare('SELECT 1 FROM a2a_migration');
  const forget = database.prepare('DELETE FROM a2a_message WHERE rowid IN (SELECT rowid FROM a2a_message WHERE received_at <= ? LIMIT ?)');
  const housekeeping = [
    new Housekeeping((limit) => queue.run(() => forget.run(Date.now() - receiptTtlMs, limit).changes)),
    new Housekeeping((limit) => removal.finish(limit)),
  ];
  return {
    tasks,
    states,
    pushConfigs,
    health: {
      ping: async () => {
        checkOpen(database);
        ping.get();
      },
    },
    close: async () => {
      for (const each of housekeeping) await each.stop();
      queue.close();
      if (dataSource.isInitialized) await dataSource.destroy();
    },
  };
}
