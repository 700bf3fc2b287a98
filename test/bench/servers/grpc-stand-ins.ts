import { create } from '@bufbuild/protobuf';
import {
  agentMessage,
  artifact,
  artifactUpdate,
  type SendMessageResponse,
  SendMessageResponseSchema,
  statusUpdate,
  type StreamResponse,
  streamResponse,
  TaskState,
} from '@a2a/a2a-core';
import { CHUNK, TASK_ID } from './stand-ins.js';

/** What `stand-ins` has in JSON, as messages of protobuf. */
const IDS = { taskId: TASK_ID, contextId: TASK_ID };

export function echoResponse(text: string): SendMessageResponse {
  return create(SendMessageResponseSchema, { payload: { case: 'message', value: agentMessage(text) } });
}

export function workingItem(): StreamResponse {
  return streamResponse(statusUpdate(IDS, TaskState.WORKING));
}

export function chunkItem(append: boolean): StreamResponse {
  return streamResponse(artifactUpdate(IDS, artifact(CHUNK, { artifactId: 'a' }), { append }));
}

export function completedItem(): StreamResponse {
  return streamResponse(statusUpdate(IDS, TaskState.COMPLETED));
}
