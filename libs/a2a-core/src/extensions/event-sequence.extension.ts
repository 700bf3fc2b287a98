import { type JsonObject } from '@bufbuild/protobuf';
import { type ExtensionDeclaration } from '../agents/agent.decorator.js';
import { type StreamResponse } from '../gen/a2a_pb.js';

/** URI of the extension, and the member of `metadata` that holds its data. */
export const EVENT_SEQUENCE_URI = 'urn:a2a-nest:extension:event-sequence:v1';

/**
 * Data-only extension: each task and event that a caller gets says its place in the task's log, in `metadata` under the URI, as
 * `{ "sequence": 7 }`.
 *
 * The number counts from 1 and rises by one or more from event to event. Sent back as `Last-Event-ID` (metadata `last-event-id` over gRPC)
 * to SubscribeToTask, it resumes the stream exactly behind that event. Put it into an agent's `extensions` to offer it.
 */
export const EVENT_SEQUENCE_EXTENSION: ExtensionDeclaration = {
  uri: EVENT_SEQUENCE_URI,
  description: 'Events carry their place in the task’s log, for resuming a stream without loss or repetition.',
};

/** A copy that says its sequence, when the caller has activated the extension; else the same object. */
export function withEventSequence<T extends { metadata?: JsonObject }>(holder: T, sequence: number, activated: readonly string[]): T {
  if (!activated.includes(EVENT_SEQUENCE_URI)) return holder;
  return { ...holder, metadata: { ...holder.metadata, [EVENT_SEQUENCE_URI]: { sequence } } };
}

/** As `withEventSequence`, for one item of a stream. */
export function itemWithEventSequence(event: StreamResponse, sequence: number, activated: readonly string[]): StreamResponse {
  const { payload } = event;
  if (payload.case === undefined || !activated.includes(EVENT_SEQUENCE_URI)) return event;
  const value = withEventSequence(payload.value, sequence, activated);
  return { ...event, payload: { case: payload.case, value } as StreamResponse['payload'] };
}
