import { Injectable } from '@nestjs/common';
import { AgentRegistry } from '../agents/agent-registry.js';
import { ANONYMOUS } from '../call/principal.js';
import { TaskRunner } from '../execution/task-runner.js';
import { Role, TaskState } from '../gen/a2a_pb.js';
import { A2aError } from '../protocol/errors.js';
import { statusUpdate, streamResponse, timestampAt } from '../protocol/events.js';
import { userMessage } from '../protocol/messages.js';
import { isTerminal } from '../protocol/task-state.js';
import { Clock } from '../clock.js';
import { type LoadedTask, TaskEventLog } from '../tasks/task-event-log.js';
import { TaskEvent } from '../tasks/task-event.js';
import { ConcurrentModification } from '../tasks/task-repository.js';
import { type TaskScope } from '../tasks/task-scope.js';

/** More often than an agent can write in between. */
const ATTEMPTS = 100;

/** Ends tasks because the host wants it, whoever runs them. */
@Injectable()
export class TaskEnder {
  constructor(
    private readonly log: TaskEventLog,
    private readonly runner: TaskRunner,
    private readonly registry: AgentRegistry,
    private readonly clock: Clock,
  ) {}

  /** When this resolves, the task has ended, or is not there. An agent of this process is asked to stop, as by CancelTask. */
  async end(scope: TaskScope, taskId: string): Promise<void> {
    const loaded = await this.#findUnfinished(scope, taskId);
    const agent = this.registry.find(scope.agentId);
    if (loaded && agent) {
      const message = loaded.task.history.findLast(({ role }) => role === Role.USER) ?? userMessage('');
      await this.runner.cancel(agent, scope, loaded, { principal: { ...ANONYMOUS, owner: scope.owner }, message }).catch(passIfEnded);
    }
    await this.#writeEnd(scope, taskId);
  }

  /** Whoever runs it meets this event at the next one of its own, and writes nothing more. */
  async #writeEnd(scope: TaskScope, taskId: string): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const loaded = await this.#findUnfinished(scope, taskId);
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

  async #findUnfinished(scope: TaskScope, taskId: string): Promise<LoadedTask | undefined> {
    const loaded = await this.log.load(scope, taskId);
    return loaded && !isTerminal(loaded.head.state) ? loaded : undefined;
  }
}

/** It ended by itself, or was deleted, while it was being cancelled. */
function passIfEnded(error: unknown): void {
  if (!(error instanceof A2aError) || (error.reason !== 'UNSUPPORTED_OPERATION' && error.reason !== 'TASK_NOT_FOUND')) throw error;
}
