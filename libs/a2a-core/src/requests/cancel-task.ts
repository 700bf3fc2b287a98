import { Injectable } from '@nestjs/common';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { type CallContext } from '../call/call-context.js';
import { TaskRunner } from '../execution/task-runner.js';
import { type CancelTaskRequest, Role, type Task, TaskState } from '../gen/a2a_pb.js';
import { TaskNotCancelableError } from '../protocol/errors.js';
import { userMessage } from '../protocol/messages.js';
import { isTerminal, taskStateName } from '../protocol/task-state.js';
import { TaskEventLog } from '../tasks/task-event-log.js';
import { TaskViews } from './task-views.js';

/** CancelTask (A2A §3.1.5). Cancelling a cancelled task answers with the task (A2A §3.3.1). */
@Injectable()
export class CancelTask {
  constructor(
    private readonly log: TaskEventLog,
    private readonly runner: TaskRunner,
    private readonly views: TaskViews,
  ) {}

  async cancel({ id, metadata }: CancelTaskRequest, agent: HostedAgent, call: CallContext): Promise<Task> {
    const loaded = await this.log.get(call.scope, id);
    if (!isTerminal(loaded.head.state)) {
      const message = loaded.task.history.findLast(({ role }) => role === Role.USER) ?? userMessage('');
      const { principal, activatedExtensions, headers } = call;
      await this.runner.cancel(agent, call.scope, loaded, { principal, message, requestMetadata: metadata, activatedExtensions, headers });
    }
    const after = await this.log.get(call.scope, id);
    const { state } = after.head;
    if (state !== TaskState.CANCELED) throw new TaskNotCancelableError(id, taskStateName(state));
    return this.views.task(after, call, undefined);
  }
}
