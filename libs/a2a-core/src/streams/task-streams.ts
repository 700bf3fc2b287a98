import { Injectable } from '@nestjs/common';
import { type CallContext } from '../call/call-context.js';
import { Clock } from '../clock.js';
import { EVENT_SEQUENCE_URI, itemWithEventSequence } from '../extensions/event-sequence.extension.js';
import { TaskState } from '../gen/a2a_pb.js';
import { A2aError } from '../protocol/errors.js';
import { streamResponse } from '../protocol/events.js';
import { isTerminal } from '../protocol/task-state.js';
import { failingAt } from './failing-at.js';
import { type LoadedTask } from '../tasks/loaded-task.js';
import { TaskEventLog } from '../tasks/task-event-log.js';
import { type TaskEvent } from '../tasks/task-event.js';
import { SingleStreamItem, type StreamItem } from './stream-item.js';
import { TaskStream, type TaskStreamSource } from './task-stream.js';
import { TaskViews } from '../requests/task-views.js';

/** What one reader asked for. */
export interface TaskStreamOptions {
  /** For the task at the head of the stream (A2A §3.2.4). */
  readonly historyLength?: number;
  /** Whether INPUT_REQUIRED at this version ends the stream: it does when it belongs to the turn the stream was opened for (A2A §11.7). */
  readonly closesOnInput: (version: number) => boolean;
}

/**
 * Streams of one task's events for one reader.
 *
 * - First the task as it is, then every event behind it: nothing is lost or repeated between the two.
 * - Ends with the terminal state, and with INPUT_REQUIRED, where the client has to send a new message anyway. AUTH_REQUIRED keeps the
 *   stream open, because the task goes on without a message (A2A §7.6.1).
 * - Fails as UNAUTHENTICATED when the reader's credentials end; it may subscribe again with new ones.
 */
@Injectable()
export class TaskStreams {
  constructor(
    private readonly log: TaskEventLog,
    private readonly views: TaskViews,
    private readonly clock: Clock,
  ) {}

  /** The task as it is, then what follows. */
  fromTask(loaded: LoadedTask, call: CallContext, options: TaskStreamOptions): AsyncIterable<StreamItem> {
    const { taskId, version, state } = loaded.head;
    const task = this.views.task(loaded, call, options.historyLength);
    const first = new SingleStreamItem(streamResponse(task), version);
    return this.#open(call, isTerminal(state) ? undefined : this.#read(taskId, version, version, call, options), first);
  }

  /** The whole log, which begins with the task. */
  fromStart(taskId: string, call: CallContext, options: TaskStreamOptions): AsyncIterable<StreamItem> {
    return this.#open(call, this.#read(taskId, 0, 0, call, options));
  }

  /** @param version of the last event the reader has seen */
  behind({ head }: LoadedTask, version: number, call: CallContext, options: TaskStreamOptions): AsyncIterable<StreamItem> {
    const hasEnded = isTerminal(head.state) && version >= head.version;
    return this.#open(call, hasEnded ? undefined : this.#read(head.taskId, version, head.version, call, options));
  }

  #open({ principal: { expiresAtMs } }: CallContext, source: TaskStreamSource | undefined, first?: StreamItem): AsyncIterable<StreamItem> {
    const items = { [Symbol.asyncIterator]: () => new TaskStream(source, first) };
    return expiresAtMs === undefined ? items : failingAt(items, expiresAtMs, this.clock, credentialsEnded);
  }

  /** @param closesFrom version from which INPUT_REQUIRED may end the stream; what lies before is history */
  #read(taskId: string, version: number, closesFrom: number, call: CallContext, options: TaskStreamOptions): TaskStreamSource {
    return {
      events: this.log.follow(call.scope, taskId, version, call.signal),
      view: (event) => this.#view(event, call, options.historyLength),
      isLast: (event) => event.version >= closesFrom && asksForInput(event) && options.closesOnInput(event.version),
    };
  }

  /** Readers share the encoded event; one that asked for something special gets its own. */
  #view(event: TaskEvent, call: CallContext, historyLength: number | undefined): StreamItem {
    const { payload } = event.event;
    if (payload.case === 'task' && historyLength === 0) {
      const head = { version: event.version };
      return new SingleStreamItem(streamResponse(this.views.task({ task: payload.value, head }, call, historyLength)), event.version);
    }
    if (!call.activatedExtensions.includes(EVENT_SEQUENCE_URI)) return event;
    return new SingleStreamItem(itemWithEventSequence(event.event, event.version, call.activatedExtensions), event.version);
  }
}

function credentialsEnded(): A2aError {
  return new A2aError('UNAUTHENTICATED', 'The credentials have expired');
}

function asksForInput({ event: { payload } }: TaskEvent): boolean {
  return payload.case === 'statusUpdate' && payload.value.status?.state === TaskState.INPUT_REQUIRED;
}
