import { fromJson, type JsonValue, toBinary } from '@bufbuild/protobuf';
import { type StreamResponse, StreamResponseSchema } from '../gen/a2a_pb.js';
import { messageToJson } from '../protocol/proto-json.js';
import { isTerminal } from '../protocol/task-state.js';

/**
 * One entry of a task's log.
 *
 * - `version` counts from 1 without holes; the first event is the task itself.
 * - A `message` payload is something a client said: it belongs to the history and is not sent to readers.
 * - Encoded forms are made once and shared by every reader.
 */
export class TaskEvent {
  #json?: string;
  #binary?: Uint8Array;

  constructor(
    readonly version: number,
    readonly event: StreamResponse,
    json?: string,
  ) {
    this.#json = json;
  }

  /** From the stored JSON. */
  static parse(version: number, json: string): TaskEvent {
    return new TaskEvent(version, fromJson(StreamResponseSchema, JSON.parse(json) as JsonValue, { ignoreUnknownFields: true }), json);
  }

  /** ProtoJSON text of the StreamResponse. */
  get json(): string {
    return (this.#json ??= JSON.stringify(messageToJson(StreamResponseSchema, this.event)));
  }

  /** Protobuf encoding of the StreamResponse. */
  get binary(): Uint8Array {
    return (this.#binary ??= toBinary(StreamResponseSchema, this.event));
  }

  /** Goes to readers; what clients said does not. */
  get isPublic(): boolean {
    return this.event.payload.case !== 'message';
  }

  /** Nothing follows. */
  get endsTask(): boolean {
    const { payload } = this.event;
    return (payload.case === 'statusUpdate' || payload.case === 'task') && isTerminal(payload.value.status?.state);
  }
}
