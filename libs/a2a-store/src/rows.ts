import { type EndedTask, type Message, MessageSchema, type ReceivedMessage, type Task, type TaskHead, TaskSchema } from '@a2a/a2a-core';
import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { parseScope, type ScopeKey } from './encoded-change.js';
import { parseKey } from './key-text.js';

/** The columns of a2a_task that make a head. */
export interface HeadRow {
  readonly id: string;
  readonly context_id: string;
  readonly state: number;
  readonly version: number;
  readonly status_at: number;
}

export interface EndedRow extends ScopeKey {
  readonly id: string;
  readonly no: number;
  readonly status_at: number;
}

export interface MessageRow {
  readonly digest: string;
  readonly task_id: string | null;
  readonly reply: string | null;
}

export function toHead({ id, context_id, state, version, status_at }: HeadRow): TaskHead {
  return { taskId: parseKey(id), contextId: parseKey(context_id), state, version, statusAtMs: status_at };
}

export function toEndedTask({ id, no, status_at, ...scope }: EndedRow): EndedTask {
  return { scope: parseScope(scope), taskId: parseKey(id), endedAtMs: status_at, place: no };
}

export function toReceivedMessage(messageId: string, { digest, task_id, reply }: MessageRow): ReceivedMessage {
  return {
    messageId,
    digest,
    taskId: task_id === null ? undefined : parseKey(task_id),
    reply: reply === null ? undefined : parseMessage(reply),
  };
}

export function parseTask(json: string): Task {
  return fromJson(TaskSchema, JSON.parse(json) as JsonValue, { ignoreUnknownFields: true });
}

function parseMessage(json: string): Message {
  return fromJson(MessageSchema, JSON.parse(json) as JsonValue, { ignoreUnknownFields: true });
}
