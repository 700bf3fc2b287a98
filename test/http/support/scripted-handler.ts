import { create } from '@bufbuild/protobuf';
import {
  type Answer,
  artifactUpdate,
  type IncomingCall,
  artifact,
  type RequestHandler,
  type SendMessageRequest,
  SendMessageResponseSchema,
  SingleStreamItem,
  type StreamItem,
  streamResponse,
  type SubscribeToTaskRequest,
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

/** Answers everything at once and remembers what it was asked, so that a test can look at what a wire made of a request. */
export class ScriptedHandler implements Partial<RequestHandler> {
  readonly seen: Seen[] = [];
  /** Extensions that answers say are in force. */
  activated: readonly string[] = [];

  get last(): Seen {
    const last = this.seen.at(-1);
    if (!last) throw new Error('The handler was not called');
    return last;
  }

  sendMessage = async (request: SendMessageRequest, call: IncomingCall) => {
    const reply = userMessage('answer', { messageId: 'fixed' });
    return this.#answer('SendMessage', request, call, create(SendMessageResponseSchema, { payload: { case: 'message', value: reply } }));
  };

  getTask = async (request: { id: string }, call: IncomingCall) => this.#answer('GetTask', request, call, task(request.id));

  cancelTask = async (request: { id: string }, call: IncomingCall) => this.#answer('CancelTask', request, call, task(request.id));

  sendStreamingMessage = async (request: SendMessageRequest, call: IncomingCall) =>
    this.#answer('SendStreamingMessage', request, call, items([item(1), item(2), item()]));

  subscribeToTask = async (request: SubscribeToTaskRequest, call: IncomingCall) =>
    this.#answer('SubscribeToTask', request, call, items([item((call.lastEventVersion ?? 0) + 1)]));

  #answer<T>(operation: string, request: unknown, call: IncomingCall, response: T): Answer<T> {
    this.seen.push({ operation, request, call });
    return { response, activatedExtensions: this.activated };
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
