import { randomUUID } from 'node:crypto';
import { type JsonObject } from '@bufbuild/protobuf';
import { type Artifact, type Message, Role, type TaskArtifactUpdateEvent, TaskState, type TaskStatusUpdateEvent } from '../gen/a2a_pb.js';
import { InvalidAgentResponseError } from '../protocol/errors.js';
import { type AgentEvent, type TaskIds, timestampAt } from '../protocol/events.js';
import { isDataTooDeep, isJsonTooDeep, TOO_DEEP } from '../protocol/wire-depth.js';
import { wellFormedCopy } from '../protocol/well-formed.js';

/**
 * Takes over what an agent yielded: copies it, makes its texts well-formed, fills in the ids and the time, and refuses what the protocol forbids (A2A §3.3.2).
 *
 * Stateless rules only; what depends on the task's course is the writer's.
 *
 * @throws {InvalidAgentResponseError} saying what is wrong, for the log
 */
export function adoptEvent(event: Exclude<AgentEvent, Message>, ids: TaskIds, nowMs: number): Exclude<AgentEvent, Message> {
  checkIds(event, ids);
  checkDepth(event);
  return event.$typeName === 'lf.a2a.v1.TaskStatusUpdateEvent' ? adoptStatus(event, ids, nowMs) : adoptArtifact(event, ids);
}

/** As `adoptEvent`, for a direct answer. */
export function adoptMessage(message: Message, contextId: string, taskId = ''): Message {
  if (message.parts.length === 0) throw new InvalidAgentResponseError('a message without parts');
  checkParts(message);
  const adopted = wellFormedCopy(message);
  adopted.messageId ||= randomUUID();
  adopted.role = Role.AGENT;
  adopted.contextId = contextId;
  adopted.taskId = taskId;
  return adopted;
}

function adoptStatus(event: TaskStatusUpdateEvent, { taskId, contextId }: TaskIds, nowMs: number): TaskStatusUpdateEvent {
  const state = event.status?.state ?? TaskState.UNSPECIFIED;
  if (!(state in TaskState) || state === TaskState.UNSPECIFIED)
    throw new InvalidAgentResponseError(`a status without a known state (${state})`);
  const adopted = wellFormedCopy(event);
  Object.assign(adopted, { taskId, contextId });
  if (!adopted.status) throw new InvalidAgentResponseError('a status update without a status');
  adopted.status.timestamp = timestampAt(nowMs);
  if (adopted.status.message) adopted.status.message = adoptMessage(adopted.status.message, contextId, taskId);
  return adopted;
}

function adoptArtifact(event: TaskArtifactUpdateEvent, { taskId, contextId }: TaskIds): TaskArtifactUpdateEvent {
  const { artifact } = event;
  if (!artifact?.artifactId) throw new InvalidAgentResponseError('an artifact without an artifactId');
  if (artifact.parts.length === 0) throw new InvalidAgentResponseError(`artifact ${artifact.artifactId} without parts`);
  checkParts(artifact);
  const adopted = wellFormedCopy(event);
  return Object.assign(adopted, { taskId, contextId });
}

function checkIds(event: Exclude<AgentEvent, Message>, { taskId, contextId }: TaskIds): void {
  if (event.taskId && event.taskId !== taskId)
    throw new InvalidAgentResponseError(`an event for task ${event.taskId} in a turn of ${taskId}`);
  if (event.contextId && event.contextId !== contextId) throw new InvalidAgentResponseError(`an event for context ${event.contextId}`);
}

function checkParts(holder: Message | Artifact): void {
  checkDepth(holder);
  for (const part of holder.parts) {
    const { content } = part;
    if (content.case === undefined) throw new InvalidAgentResponseError('a part without content');
    if (content.case === 'data' && isDataTooDeep(content.value)) throw new InvalidAgentResponseError(`a data part ${TOO_DEEP}`);
    checkDepth(part);
  }
}

/** What one wire cannot carry, none may. */
function checkDepth({ metadata }: { readonly metadata?: JsonObject }): void {
  if (isJsonTooDeep(metadata)) throw new InvalidAgentResponseError(`metadata ${TOO_DEEP}`);
}
