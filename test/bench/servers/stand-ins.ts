import { randomUUID } from 'node:crypto';

/**
 * What a server without any A2A engine answers: the same JSON that the engines make, built anew for each call, kept nowhere.
 *
 * The text of a message says what is asked for: `echo`, `task`, `stream 100`, `history 50`, `fanout 100`.
 */
export interface Ask {
  readonly verb: string;
  readonly count: number;
}

export function askIn(text: string): Ask {
  const [verb = '', count] = text.split(' ', 2);
  return { verb, count: Number(count) || 0 };
}

/** A request object of JSON-RPC as far as the stand-ins look at it. */
export interface RpcRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: { readonly message?: PlainMessage; readonly id?: string };
}

export interface PlainMessage {
  readonly messageId: string;
  readonly parts: readonly { readonly text: string }[];
}

export const TASK_ID = '11111111-2222-4333-8444-555555555555';
export const CHUNK = 'x'.repeat(200);

export function answerTo({ id, params }: RpcRequest): object {
  const { message } = params;
  const text = message?.parts[0]?.text ?? '';
  const result = askIn(text).verb === 'task' && message ? { task: finishedTask(message) } : { message: agentMessage(text) };
  return { jsonrpc: '2.0', id, result };
}

export function agentMessage(text: string): object {
  return { messageId: randomUUID(), contextId: randomUUID(), role: 'ROLE_AGENT', parts: [{ text }] };
}

export function finishedTask(message: PlainMessage): object {
  const id = randomUUID();
  const contextId = randomUUID();
  return {
    id,
    contextId,
    status: { state: 'TASK_STATE_COMPLETED', timestamp: new Date().toISOString() },
    artifacts: [{ artifactId: randomUUID(), parts: [{ text: CHUNK }] }],
    history: [{ ...message, taskId: id, contextId }],
  };
}

/** A task whose history has `count` messages of 200 characters, as it lies in a memory. */
export function taskWithHistory(count: number): object {
  const history = Array.from({ length: count }, (_, index) => ({
    messageId: randomUUID(),
    contextId: TASK_ID,
    taskId: TASK_ID,
    role: index === 0 ? 'ROLE_USER' : 'ROLE_AGENT',
    parts: [{ text: CHUNK }],
  }));
  return { id: TASK_ID, contextId: TASK_ID, status: { state: 'TASK_STATE_COMPLETED', timestamp: new Date().toISOString() }, history };
}

export function workingTask(): object {
  return { task: { id: TASK_ID, contextId: TASK_ID, status: { state: 'TASK_STATE_WORKING', timestamp: new Date().toISOString() } } };
}

export function chunkEvent(append: boolean): object {
  const artifact = { artifactId: 'a', parts: [{ text: CHUNK }] };
  return { artifactUpdate: { taskId: TASK_ID, contextId: TASK_ID, artifact, append, lastChunk: false } };
}

export function completedEvent(): object {
  const status = { state: 'TASK_STATE_COMPLETED', timestamp: new Date().toISOString() };
  return { statusUpdate: { taskId: TASK_ID, contextId: TASK_ID, status } };
}

/** One event of a stream, as a frame of Server-Sent Events. */
export function frame(id: string | number, result: object): string {
  return `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`;
}

/** A few bytes like a card; the peers that have a real one serve that. */
export const CARD = {
  name: 'Bench',
  description: 'Answers what it is asked',
  supportedInterfaces: [{ url: 'http://127.0.0.1/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  version: '1.0.0',
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'answer', name: 'Answer', description: 'Answers what it is asked', tags: ['bench'] }],
};

/** Ends this turn of the event loop, as waiting for a model would. */
export function tick(): Promise<void> {
  return new Promise(setImmediate);
}
