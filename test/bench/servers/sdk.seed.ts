import { TaskState } from '@a2a-js/sdk';
import { defaultServerCallContextBuilder, type TaskStore, UnauthenticatedUser } from '@a2a-js/sdk/server';
import { seededTasks } from './seeded-tasks.js';

/** Puts finished tasks into the SDK's store, as a caller without credentials owns them. */
export async function seedSdk(store: TaskStore, count: number): Promise<void> {
  const user = new UnauthenticatedUser();
  const context = defaultServerCallContextBuilder({ extensions: undefined, user, headers: {}, requestedVersion: '1.0' });
  for (const { id, contextId, isFailed, statusAtMs } of seededTasks(count)) {
    const state = isFailed ? TaskState.TASK_STATE_FAILED : TaskState.TASK_STATE_COMPLETED;
    const status = { state, message: undefined, timestamp: new Date(statusAtMs).toISOString() };
    await store.save({ id, contextId, status, artifacts: [], history: [], metadata: undefined }, context);
  }
}
