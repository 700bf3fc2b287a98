import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import {
  artifact,
  artifactUpdate,
  statusUpdate,
  streamResponse,
  type Task,
  type TaskChange,
  TaskEvent,
  TaskSchema,
  type TaskScope,
  TaskState,
} from '@a2a/a2a-core';

/** A scope that no other test has. */
export function newScope(members: Partial<TaskScope> = {}): TaskScope {
  return { agentId: `agent-${randomUUID()}`, tenant: 'acme', owner: 'ada', ...members };
}

export function taskOf(taskId: string, contextId = 'context'): Task {
  return create(TaskSchema, { id: taskId, contextId, status: { state: TaskState.SUBMITTED } });
}

/** The change that makes a task: one event, the task itself. */
export function creation(taskId: string, more: Partial<TaskChange> = {}): TaskChange {
  const contextId = more.contextId ?? 'context';
  const events = [new TaskEvent(1, streamResponse(taskOf(taskId, contextId)))];
  return { taskId, contextId, events, state: TaskState.SUBMITTED, statusAtMs: 1_000, ...more };
}

/** A change that adds pieces of an artifact behind `version`, one for each text. */
export function growth(taskId: string, version: number, texts: readonly string[], more: Partial<TaskChange> = {}): TaskChange {
  const ids = { taskId, contextId: 'context' };
  const events = texts.map(
    (text, index) =>
      new TaskEvent(version + index + 1, streamResponse(artifactUpdate(ids, artifact(text, { artifactId: 'a' }), { append: true }))),
  );
  return { ...ids, events, state: TaskState.WORKING, statusAtMs: 1_000, ...more };
}

/** A change of the status alone. */
export function move(taskId: string, version: number, state: TaskState, statusAtMs = 1_000, more: Partial<TaskChange> = {}): TaskChange {
  const ids = { taskId, contextId: 'context' };
  return { ...ids, events: [new TaskEvent(version + 1, streamResponse(statusUpdate(ids, state)))], state, statusAtMs, ...more };
}

/** The text of each artifact event, for comparison. */
export function textsOf(events: readonly TaskEvent[]): string[] {
  return events.flatMap(({ event: { payload } }) =>
    payload.case === 'artifactUpdate' ? (payload.value.artifact?.parts ?? []).map(({ content }) => String(content.value)) : [],
  );
}
