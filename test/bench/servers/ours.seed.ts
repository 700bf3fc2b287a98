import { create } from '@bufbuild/protobuf';
import { ANONYMOUS, streamResponse, TaskEvent, type TaskRepository, TaskSchema, TaskState, timestampAt } from '@a2a/a2a-core';
import { seededTasks, type SeededTask } from './seeded-tasks.js';

const AT_ONCE = 500;
/** Where they are. */
export const OWNER_SCOPE = { agentId: 'bench', tenant: '', owner: ANONYMOUS.owner };

/** Puts finished tasks into the store, as a caller without credentials owns them. */
export async function seedOurs(repository: TaskRepository, count: number): Promise<void> {
  let batch: Promise<number>[] = [];
  for (const seed of seededTasks(count)) {
    batch.push(commit(repository, seed));
    if (batch.length < AT_ONCE) continue;
    await Promise.all(batch);
    batch = [];
  }
  await Promise.all(batch);
}

function commit(repository: TaskRepository, { id, contextId, isFailed, statusAtMs }: SeededTask): Promise<number> {
  const state = isFailed ? TaskState.FAILED : TaskState.COMPLETED;
  const task = create(TaskSchema, { id, contextId, status: { state, timestamp: timestampAt(statusAtMs) } });
  return repository.commit(OWNER_SCOPE, { taskId: id, contextId, events: [new TaskEvent(1, streamResponse(task))], state, statusAtMs }, 0);
}
