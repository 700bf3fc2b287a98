import { type A2aLogger, type Counts, type DataDeletion, storeDeletion, SystemClock } from '@a2a/a2a-core';
import { ApprovalBook } from '../approvals/approval-book.js';
import { ApprovalData } from '../approvals/approval-data.js';
import { DEFAULT_EXPIRES_AFTER_MS } from '../approvals/approval.options.js';
import { withHostStore } from '../commands/host-store.js';
import { type HostConfig } from '../config/host.config.js';
import { type DeletionRequest } from './deletion.arguments.js';

/**
 * Deletes what a request names from the host's database.
 *
 * @throws {Error} as `withHostStore`
 */
export function deleteData(request: DeletionRequest, host: HostConfig, logger: A2aLogger): Promise<Counts> {
  return withHostStore(host, async (store) => {
    const book = new ApprovalBook(store.states, new SystemClock(), { publicUrl: host.publicUrl, expiresAfterMs: DEFAULT_EXPIRES_AFTER_MS });
    return await run(storeDeletion(store, logger, [new ApprovalData(book)]), request);
  });
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
