import { type A2aStoreOptions, DEFAULT_RECEIPT_TTL_MS } from '../a2a-store.options.js';
import { Housekeeping } from '../housekeeping.js';
import { type A2aStore } from '../store.js';
import { migratePostgres } from './postgres.migration.js';
import { PostgresCommits } from './postgres-commits.js';
import { PostgresRemoval } from './postgres-removal.js';
import { PostgresConnection } from './postgres.connection.js';
import { PostgresPushConfigRepository } from './postgres-push-config.repository.js';
import { PostgresStateStore } from './postgres-state.store.js';
import { PostgresTaskRepository } from './postgres-task.repository.js';
import { FORGET_MESSAGES } from './task-statements.js';

/** Opens a database of PostgreSQL as a store, its tables made or brought up to date before unless `migrate` is false. */
export async function openPostgresStore(url: string, options: Omit<A2aStoreOptions, 'url'>): Promise<A2aStore> {
  const { receiptTtlMs = DEFAULT_RECEIPT_TTL_MS, migrate = true } = options;
  if (migrate) await migratePostgres(url);
  const connection = await PostgresConnection.open(url, options);
  const commits = new PostgresCommits(connection, receiptTtlMs);
  const removal = new PostgresRemoval(connection);
  const housekeeping = [
    new Housekeeping(async (limit) => {
      const [row] = await connection.runRepeatable<{ forgotten: number }>(FORGET_MESSAGES, [receiptTtlMs, limit]);
      return row?.forgotten ?? 0;
    }),
    new Housekeeping((limit) => removal.finish(limit)),
  ];

  return {
    tasks: new PostgresTaskRepository(connection, commits, removal, receiptTtlMs),
    states: new PostgresStateStore(connection),
    pushConfigs: new PostgresPushConfigRepository(connection),
    health: {
      ping: async () => {
        await connection.runRepeatable({ name: 'a2a_ping', text: 'SELECT 1 FROM a2a_migration LIMIT 1' }, []);
      },
    },
    close: async () => {
      for (const each of housekeeping) await each.stop();
      await commits.idle();
      await connection.close();
    },
  };
}
