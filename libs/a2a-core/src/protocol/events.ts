import { create, type JsonObject } from '@bufbuild/protobuf';
import { type Timestamp, timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import {
  type Artifact,
  type Message,
  type StreamResponse,
  StreamResponseSchema,
  type Task,
  type TaskArtifactUpdateEvent,
  TaskArtifactUpdateEventSchema,
  type TaskState,
  type TaskStatusUpdateEvent,
  TaskStatusUpdateEventSchema,
} from '../gen/a2a_pb.js';

/**
 * What an agent yields: a direct answer, a new status, or (a piece of) an artifact.
 *
 * The task itself is made by the platform from the caller's message; an agent never yields one.
 */
export type AgentEvent = Message | TaskStatusUpdateEvent | TaskArtifactUpdateEvent;

/** The ids that every event of a task carries (A2A §4.2). */
export interface TaskIds {
  readonly taskId: string;
  readonly contextId: string;
}

/** What a status may say beside its state. */
export interface StatusExtras {
  readonly message?: Message;
  readonly metadata?: JsonObject;
  readonly timestamp?: Timestamp;
}

/** A status without a timestamp gets the moment of its commit. */
export function statusUpdate({ taskId, contextId }: TaskIds, state: TaskState, extras: StatusExtras = {}): TaskStatusUpdateEvent {
  const { message, metadata, timestamp } = extras;
  return create(TaskStatusUpdateEventSchema, { taskId, contextId, status: { state, message, timestamp }, metadata });
}

/** How an update joins what the artifact has (A2A §4.2.2). Default: it replaces the artifact, and more may follow. */
export interface ArtifactUpdateExtras {
  /** True: the parts go behind those the artifact has. */
  readonly append?: boolean;
  /** True: the artifact is complete. */
  readonly lastChunk?: boolean;
  readonly metadata?: JsonObject;
}

/** An artifact, or the next chunk of it: chunks share an `artifactId`, and all but the first have `append`. */
export function artifactUpdate(
  { taskId, contextId }: TaskIds,
  artifact: Artifact,
  extras: ArtifactUpdateExtras = {},
): TaskArtifactUpdateEvent {
  return create(TaskArtifactUpdateEventSchema, { taskId, contextId, artifact, ...extras });
}

/** Wraps a payload as one item of a stream. */
export function streamResponse(payload: Task | AgentEvent): StreamResponse {
  switch (payload.$typeName) {
    case 'lf.a2a.v1.Task':
      return create(StreamResponseSchema, { payload: { case: 'task', value: payload } });
    case 'lf.a2a.v1.Message':
      return create(StreamResponseSchema, { payload: { case: 'message', value: payload } });
    case 'lf.a2a.v1.TaskStatusUpdateEvent':
      return create(StreamResponseSchema, { payload: { case: 'statusUpdate', value: payload } });
    case 'lf.a2a.v1.TaskArtifactUpdateEvent':
      return create(StreamResponseSchema, { payload: { case: 'artifactUpdate', value: payload } });
  }
}

/** The moment `ms` (Unix epoch, milliseconds) as the protocol's timestamp. */
export function timestampAt(ms: number): Timestamp {
  return timestampFromMs(ms);
}

export { timestampMs };
