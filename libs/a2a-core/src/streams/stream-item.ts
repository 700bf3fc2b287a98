import { toBinary } from '@bufbuild/protobuf';
import { type StreamResponse, StreamResponseSchema } from '../gen/a2a_pb.js';
import { messageToJson } from '../protocol/proto-json.js';

/** One item for a reader. Encoded forms are shared between the readers of one event, so a wire should use them instead of encoding. */
export interface StreamItem {
  readonly event: StreamResponse;
  /** Place in the task's log, for resuming; undefined for a direct message. */
  readonly version?: number;
  /** ProtoJSON text of `event`. */
  readonly json: string;
  /** Protobuf encoding of `event`. */
  readonly binary: Uint8Array;
}

/** An item made for one reader alone, such as the task as it is now. */
export class SingleStreamItem implements StreamItem {
  constructor(
    readonly event: StreamResponse,
    readonly version?: number,
  ) {}

  get json(): string {
    return JSON.stringify(messageToJson(StreamResponseSchema, this.event));
  }

  get binary(): Uint8Array {
    return toBinary(StreamResponseSchema, this.event);
  }
}
