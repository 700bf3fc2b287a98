import { type A2aLogger, type Counts, type DataDeletion, storeDeletion, SystemClock } from '@a2a/a2a-core';
import { openStore } from '@a2a/a2a-store';
import { ApprovalBook } from '../approvals/approval-book.js';
import { ApprovalData } from '../approvals/approval-data.js';
import { DEFAULT_EXPIRES_AFTER_MS } from '../approvals/approval.options.js';
import { type HostConfig } from '../config/host.config.js';
import { type DeletionRequest } from './deletion.arguments.js';

/**
 * Deletes what a request names from the host's database.
 *
 * PostgreSQL: while hosts run. SQLite: while none does, since the file belongs to one process at a time.
 *
 * @throws {Error} when the database cannot be opened, a SQLite file that a host has included
 */
export async function deleteData(request: DeletionRequest, host: HostConfig, logger: A2aLogger): Promise<Counts> {
  if (host.databaseUrl === 'memory:') throw new Error('what a host keeps in memory ends with it. Set DATABASE_URL, or stop the host.');
  const store = await openStore({ url: host.databaseUrl });
  try {
    const book = new ApprovalBook(store.states, new SystemClock(), { publicUrl: host.publicUrl, expiresAfterMs: DEFAULT_EXPIRES_AFTER_MS });
    return await run(storeDeletion(store, logger, [new ApprovalData(book)]), request);
  } finally {
    await store.close();
  }
}

function run(deletion: DataDeletion, { owner, agentId, tenant, taskId, contextId, by }: DeletionRequest): Promise<Counts> {
  if (agentId !== undefined && tenant !== undefined) {
    const scope = { agentId, tenant, owner };
    if (taskId !== undefined) return deletion.deleteTask(scope, taskId, by);
    if (contextId !== undefined) return deletion.deleteContext(scope, contextId, by);
  }
  return deletion.deleteOwner({ owner, agentId, tenant }, by);
}

/** Such as `3 tasks, 5 receipts, 1 values`. */
export function describeCounts(counts: Counts): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}
