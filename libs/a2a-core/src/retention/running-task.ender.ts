import { Injectable } from '@nestjs/common';
import { AgentRegistry } from '../agents/agent-registry.js';
import { ANONYMOUS } from '../call/principal.js';
import { Clock } from '../clock.js';
import { TaskRunner } from '../execution/task-runner.js';
import { Role } from '../gen/a2a_pb.js';
import { A2aError } from '../protocol/errors.js';
import { userMessage } from '../protocol/messages.js';
import { TaskEventLog } from '../tasks/task-event-log.js';
import { type TaskScope } from '../tasks/task-scope.js';
import { TaskEnder } from './task-ender.js';

/** Asks the agent to stop first, as CancelTask does, where this process hosts it. */
@Injectable()
export class RunningTaskEnder extends TaskEnder {
  constructor(
    log: TaskEventLog,
    clock: Clock,
    private readonly runner: TaskRunner,
    private readonly registry: AgentRegistry,
  ) {
    super(log, clock);
  }

  override async end(scope: TaskScope, taskId: string): Promise<void> {
    const loaded = await this.findUnfinished(scope, taskId);
    const agent = this.registry.find(scope.agentId);
    if (loaded && agent) {
      const message = loaded.task.history.findLast(({ role }) => role === Role.USER) ?? userMessage('');
      const principal = { ...ANONYMOUS, owner: scope.owner };
      await this.runner.cancel(agent, scope, loaded, { principal, message }).catch(passIfEnded);
    }
    await super.end(scope, taskId);
  }
}

/** It ended by itself, or was deleted, while it was being cancelled. */
function passIfEnded(error: unknown): void {
  if (!(error instanceof A2aError) || (error.reason !== 'UNSUPPORTED_OPERATION' && error.reason !== 'TASK_NOT_FOUND')) throw error;
}
