import { randomUUID } from 'node:crypto';
import { type JsonObject } from '@bufbuild/protobuf';
import { type A2aClient, type EventStream, WireError } from '../support/clients/a2a-client.js';
import { type Wire } from './conformance-host.js';
import { type MessageJson, type StreamItemJson, type TaskJson } from '../support/clients/wire-json.js';

/** A SendMessageRequest with one text part. `extras` go into the message. */
export function say(text: string, extras: JsonObject = {}, configuration?: JsonObject): JsonObject {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...extras };
  return configuration ? { message, configuration } : { message };
}

/** Sends and waits; the answer has to be a task. */
export async function runTask(client: A2aClient, text: string, extras: JsonObject = {}, configuration?: JsonObject): Promise<TaskJson> {
  return taskOf(await client.send(say(text, extras, configuration)));
}

/** Starts a task and comes back while it works. */
export function startTask(client: A2aClient, text: string, extras: JsonObject = {}): Promise<TaskJson> {
  return runTask(client, text, extras, { returnImmediately: true });
}

export function taskOf({ task }: Pick<StreamItemJson, 'task'>): TaskJson {
  if (!task) throw new Error('The answer is no task');
  return task;
}

export function messageOf({ message }: Pick<StreamItemJson, 'message'>): MessageJson {
  if (!message) throw new Error('The answer is no message');
  return message;
}

/** Text parts of a message or an artifact. */
export function textsOf(holder: { parts: { text?: string }[] } | undefined): (string | undefined)[] {
  return holder?.parts.map(({ text }) => text) ?? [];
}

/** Resolves when the clock of this machine has moved on: what comes next is younger, however fast it comes. */
export async function clockTick(): Promise<void> {
  const now = Date.now();
  while (Date.now() <= now + 1) await new Promise(setImmediate);
}

/** The kind and state of each item: `task WORKING`, `artifact`, `status COMPLETED`, `message`. */
export function outline(items: readonly StreamItemJson[]): string[] {
  return items.map(({ task, message, statusUpdate, artifactUpdate }) => {
    if (task) return `task ${shortState(task.status.state)}`;
    if (statusUpdate) return `status ${shortState(statusUpdate.status.state)}`;
    if (artifactUpdate) return 'artifact';
    return message ? 'message' : 'nothing';
  });
}

function shortState(state: string): string {
  return state.replace(/^TASK_STATE_/, '');
}

/** The error that a call ends with. */
export async function errorOf(call: Promise<unknown>): Promise<WireError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
  throw new Error('The call succeeded');
}

/** A field path as errors on this wire spell it: proto names on gRPC, JSON names elsewhere [GRPC-05]. */
export function pathOn(wire: Wire, path: string): string {
  return wire === 'GRPC' ? path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : path;
}

export async function reasonOf(call: Promise<unknown>): Promise<unknown> {
  return (await errorOf(call)).reason;
}

/** Reads up to the first item of this kind. */
export async function readUntil(stream: EventStream, kind: string): Promise<StreamItemJson[]> {
  const seen: StreamItemJson[] = [];
  for (let event = await stream.next(); event; event = await stream.next()) {
    seen.push(event.item);
    if (outline([event.item])[0] === kind) return seen;
  }
  throw new Error(`The stream ended before ${kind}: ${outline(seen).join(', ')}`);
}
