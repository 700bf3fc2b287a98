import { Inject, Injectable } from '@nestjs/common';
import { type A2aCoreOptions } from '../a2a-core.options.js';
import { A2A_CORE_OPTIONS } from '../a2a-core.module-definition.js';
import { type CallContext } from '../call/call-context.js';
import { Clock } from '../clock.js';
import { type TurnHandle } from '../execution/pending-turn.js';
import { isSettled } from '../protocol/task-state.js';
import { type LoadedTask } from '../tasks/loaded-task.js';
import { TaskEventLog } from '../tasks/task-event-log.js';
import { Patience } from './patience.js';

/** What a blocking send waits for (A2A §3.2.2). */
@Injectable()
export class BlockingWait {
  constructor(
    @Inject(A2A_CORE_OPTIONS) private readonly options: A2aCoreOptions,
    private readonly log: TaskEventLog,
    private readonly clock: Clock,
  ) {}

  /**
   * @param handle the turn that is waited for, while this process knows it
   * @returns the task when it is terminal or interrupted; as it is when the caller has gone or `blockingTimeoutMs` are over
   * @throws {TaskNotFoundError} when it was deleted meanwhile
   */
  async untilSettled(call: CallContext, taskId: string, handle: TurnHandle | undefined): Promise<LoadedTask> {
    const patience = new Patience(this.clock, this.options.blockingTimeoutMs ?? 300_000, call.signal);
    try {
      const settled = handle && (await patience.during(handle.settled));
      if (settled) return settled;
      let loaded = await this.log.get(call.scope, taskId);
      // A turn that detached leaves the settling to later ones; a message that comes at once may move a settled task on.
      while (!isSettled(loaded.head.state) && !patience.isLost) {
        const hasSettled = await patience.during(this.#followUntilSettled(call, taskId, loaded.head.version, patience.signal));
        loaded = await this.log.get(call.scope, taskId);
        if (!hasSettled) break;
      }
      return loaded;
    } finally {
      patience.end();
    }
  }

  /** @returns false when the log ended before that: the process stops, or the task was deleted */
  async #followUntilSettled(call: CallContext, taskId: string, version: number, signal: AbortSignal): Promise<boolean> {
    for await (const { event } of this.log.follow(call.scope, taskId, version, signal)) {
      if (event.payload.case === 'statusUpdate' && isSettled(event.payload.value.status?.state)) return true;
    }
    return false;
  }
}
