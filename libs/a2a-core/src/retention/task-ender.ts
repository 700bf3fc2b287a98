import { TaskState } from '../gen/a2a_pb.js';
import { statusUpdate, streamResponse, timestampAt } from '../protocol/events.js';
import { isTerminal } from '../protocol/task-state.js';
import { type Clock } from '../clock.js';
import { type LoadedTask } from '../tasks/loaded-task.js';
import { type TaskEventLog } from '../tasks/task-event-log.js';
import { TaskEvent } from '../tasks/task-event.js';
import { ConcurrentModification } from '../tasks/task-repository.js';
import { type TaskScope } from '../tasks/task-scope.js';

/** More often than an agent can write in between. */
const ATTEMPTS = 100;

/**
 * Ends tasks because the host wants it, by writing CANCELED into their logs. Whoever runs such a task, in whatever process, meets that at
 * the next event of its own and writes nothing more.
 */
export class TaskEnder {
  constructor(
    protected readonly log: TaskEventLog,
    private readonly clock: Clock,
  ) {}

  /** When this resolves, the task has ended, or is not there. */
  async end(scope: TaskScope, taskId: string): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const loaded = await this.findUnfinished(scope, taskId);
      if (!loaded) return;
      const { contextId, version } = loaded.head;
      const statusAtMs = this.clock.now();
      const update = statusUpdate({ taskId, contextId }, TaskState.CANCELED, { timestamp: timestampAt(statusAtMs) });
      const events = [new TaskEvent(version + 1, streamResponse(update))];
      try {
        await this.log.append(scope, { taskId, contextId, events, state: TaskState.CANCELED, statusAtMs }, version);
        return;
      } catch (error) {
        if (!(error instanceof ConcurrentModification)) throw error;
      }
    }
  }

  protected async findUnfinished(scope: TaskScope, taskId: string): Promise<LoadedTask | undefined> {
    const loaded = await this.log.load(scope, taskId);
    return loaded && !isTerminal(loaded.head.state) ? loaded : undefined;
  }
}
