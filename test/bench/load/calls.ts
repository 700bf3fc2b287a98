import { randomUUID } from 'node:crypto';
import { type Request } from './http-load.js';

/** Requests of JSON-RPC as clients of this protocol send them. */
export function sendMessage(text: string, extras: { readonly taskId?: string; readonly historyLength?: number } = {}): Request {
  const { taskId, historyLength } = extras;
  return rpc('SendMessage', () => ({
    message: message(text, taskId),
    ...(historyLength !== undefined && { configuration: { historyLength } }),
  }));
}

export function streamMessage(text: string, path: string): Request {
  return rpc('SendStreamingMessage', () => ({ message: message(text) }), path);
}

export function beginTask(text: string): Request {
  return rpc('SendMessage', () => ({ message: message(text), configuration: { returnImmediately: true } }));
}

export function getTask(id: string): Request {
  return rpc('GetTask', () => ({ id }));
}

export function listTasks(filter: object): Request {
  return rpc('ListTasks', () => filter);
}

export function subscribe(id: string, path: string): Request {
  return rpc('SubscribeToTask', () => ({ id }), path);
}

/** About 200 characters around what is asked, as a short request of a person has. */
export const PADDING = ' Please look at the last deployment of the payment service and tell me what went wrong.'.repeat(2);

function message(text: string, taskId?: string): object {
  return { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: text + PADDING }], ...(taskId !== undefined && { taskId }) };
}

function rpc(method: string, params: () => object, path = '/rpc'): Request {
  return { method: 'POST', path, body: () => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params() }) };
}
