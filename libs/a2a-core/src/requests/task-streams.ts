import { Injectable } from '@nestjs/common';
import { type CallContext } from '../call/call-context.js';
import { EVENT_SEQUENCE_URI, itemWithEventSequence } from '../extensions/event-sequence.extension.js';
import { TaskState } from '../gen/a2a_pb.js';
import { streamResponse } from '../protocol/events.js';
import { isTerminal } from '../protocol/task-state.js';
import { abortableIterable } from '../streams/abortable-iterable.js';
import { type LoadedTask, TaskEventLog } from '../tasks/task-event-log.js';
import { type TaskEvent } from '../tasks/task-event.js';
import { SingleStreamItem, type StreamItem } from './stream-item.js';
import { TaskViews } from './task-views.js';

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
 */
@Injectable()
export class TaskStreams {
  constructor(
    private readonly log: TaskEventLog,
    private readonly views: TaskViews,
  ) {}

  fromTask(loaded: LoadedTask, call: CallContext, options: TaskStreamOptions): AsyncIterable<StreamItem> {
    const task = this.views.task(loaded, call, options.historyLength);
    const first = new SingleStreamItem(streamResponse(task), loaded.head.version);
    if (isTerminal(loaded.head.state)) return abortableIterable(() => only(first), call.signal);
    return abortableIterable((signal) => this.#read(loaded, first, loaded.head.version, call, options, signal), call.signal);
  }

  /** @param version of the last event the reader has seen */
  behind(loaded: LoadedTask, version: number, call: CallContext, options: TaskStreamOptions): AsyncIterable<StreamItem> {
    return abortableIterable((signal) => this.#read(loaded, undefined, version, call, options, signal), call.signal);
  }

  async *#read(
    { head }: LoadedTask,
    first: StreamItem | undefined,
    version: number,
    call: CallContext,
    options: TaskStreamOptions,
    signal: AbortSignal,
  ): AsyncGenerator<StreamItem> {
    if (first) yield first;
    if (isTerminal(head.state) && version >= head.version) return;
    for await (const event of this.log.follow(call.scope, head.taskId, version, signal)) {
      yield view(event, call);
      if (event.version >= head.version && asksForInput(event) && options.closesOnInput(event.version)) return;
    }
  }
}

/** Readers share the encoded event; one that has the event-sequence extension gets its own. */
function view(event: TaskEvent, { activatedExtensions }: CallContext): StreamItem {
  if (!activatedExtensions.includes(EVENT_SEQUENCE_URI)) return event;
  return new SingleStreamItem(itemWithEventSequence(event.event, event.version, activatedExtensions), event.version);
}

function asksForInput({ event: { payload } }: TaskEvent): boolean {
  return payload.case === 'statusUpdate' && payload.value.status?.state === TaskState.INPUT_REQUIRED;
}

async function* only(item: StreamItem): AsyncGenerator<StreamItem> {
  yield item;
}
