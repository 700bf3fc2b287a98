import { type TaskRef } from '../execution/task-resumer.js';
import { type TaskScope } from '../tasks/task-scope.js';

/** Something that is kept for tasks and is not in the task repository, such as webhooks or approvals. */
export interface TaskDataHolder {
  /** What is kept, in the plural; names the count of it. */
  readonly name: string;
  /** Those of the tasks, all of which have ended, that must not go by age yet, because something is still to be done for them. */
  findBusy?(tasks: readonly TaskRef[]): Promise<readonly TaskRef[]>;
  /** Removes what is kept for the tasks. Finding nothing is no error. @returns how much there was */
  deleteOf(scope: TaskScope, taskIds: readonly string[]): Promise<number>;
}
