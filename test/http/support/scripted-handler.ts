import { create } from '@bufbuild/protobuf';
import {
  type Answer,
  artifact,
  artifactUpdate,
  type IncomingCall,
  type Operation,
  OPERATIONS,
  SendMessageResponseSchema,
  SingleStreamItem,
  type StreamItem,
  streamResponse,
  type Task,
  TaskSchema,
  TaskState,
  userMessage,
} from '@a2a/a2a-core';

/** What a wire handed over. */
export interface Seen {
  readonly operation: string;
  readonly request: unknown;
  readonly call: IncomingCall;
}

/** Answers every operation at once and remembers what it was asked, so that a test can look at what a wire made of a request. */
export class ScriptedHandler {
  readonly seen: Seen[] = [];
  /** Extensions that answers say are in force. */
  activated: readonly string[] = [];

  constructor() {
    for (const operation of OPERATIONS) {
      Object.defineProperty(this, operation.handler, {
        value: async (request: { readonly id?: string }, call: IncomingCall): Promise<Answer<unknown>> => {
          this.seen.push({ operation: operation.name, request, call });
          return { response: respond(operation, request.id ?? '', call), activatedExtensions: this.activated };
        },
      });
    }
  }

  get last(): Seen {
    const last = this.seen.at(-1);
    if (!last) throw new Error('The handler was not called');
    return last;
  }
}

function respond({ name, output }: Operation, id: string, { lastEventVersion = 0 }: IncomingCall): unknown {
  switch (name) {
    case 'SendMessage':
      return create(SendMessageResponseSchema, { payload: { case: 'message', value: userMessage('answer', { messageId: 'fixed' }) } });
    case 'GetTask':
    case 'CancelTask':
      return task(id);
    case 'SendStreamingMessage':
      return items([item(1), item(2), item()]);
    case 'SubscribeToTask':
      return items([item(lastEventVersion + 1)]);
    default:
      return create(output);
  }
}

export function task(id: string): Task {
  return create(TaskSchema, { id, contextId: 'c', status: { state: TaskState.WORKING } });
}

/** A piece of an artifact at a place in the log. */
export function item(version?: number, text = 'piece'): StreamItem {
  const update = artifactUpdate({ taskId: 't', contextId: 'c' }, artifact(text, { artifactId: 'a' }));
  return new SingleStreamItem(streamResponse(update), version);
}

export async function* items(list: readonly StreamItem[]): AsyncGenerator<StreamItem> {
  yield* list;
}
