import { Injectable } from '@nestjs/common';
import { type CallContext } from '../call/call-context.js';
import { type SubscribeToTaskRequest } from '../gen/a2a_pb.js';
import { InvalidParamsError, UnsupportedOperationError } from '../protocol/errors.js';
import { isTerminal, taskStateName } from '../protocol/task-state.js';
import { TaskEventLog } from '../tasks/task-event-log.js';
import { type StreamItem } from '../streams/stream-item.js';
import { TaskStreams } from '../streams/task-streams.js';

/** SubscribeToTask (A2A §3.1.6), and resuming behind the last event a reader has seen. */
@Injectable()
export class SubscribeToTask {
  constructor(
    private readonly log: TaskEventLog,
    private readonly streams: TaskStreams,
  ) {}

  async subscribe({ id }: SubscribeToTaskRequest, call: CallContext): Promise<AsyncIterable<StreamItem>> {
    const loaded = await this.log.get(call.scope, id);
    const { state, version } = loaded.head;
    const seen = call.lastEventVersion;
    if (seen !== undefined) {
      if (seen > version) throw InvalidParamsError.of('Last-Event-ID', 'the task has no such event yet');
      return this.streams.behind(loaded, seen, call, { closesOnInput: (at) => at > seen });
    }
    if (isTerminal(state)) {
      const name = taskStateName(state);
      throw new UnsupportedOperationError(`The task has ended (${name}); read it with GetTask`, { taskId: id, state: name });
    }
    return this.streams.fromTask(loaded, call, { closesOnInput: () => true });
  }
}
