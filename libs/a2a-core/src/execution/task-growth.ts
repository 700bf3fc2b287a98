import { type JsonObject, toBinary } from '@bufbuild/protobuf';
import { type Artifact, type Message, type Part, PartSchema, type StreamResponse, type Task } from '../gen/a2a_pb.js';
import { UnsupportedOperationError } from '../protocol/errors.js';
import { isTerminal } from '../protocol/task-state.js';
import { type TaskLimits } from '../limits/limits.options.js';

/** What a task, or one event of it, holds. */
interface Size {
  readonly messages: number;
  readonly artifactParts: number;
  readonly bytes: number;
}

/** What a status that ends a full task may add: somebody has to be told why. */
const LAST_WORDS_BYTES = 65_536;

const NOTHING: Size = { messages: 0, artifactParts: 0, bytes: 0 };

/**
 * Keeps account of how large a task is, event by event, at a cost that does not grow with the task.
 *
 * Artifacts count as long as they were ever there: replacing one again and again fills a log too.
 */
export class TaskGrowth {
  #size: Size;
  readonly #artifactIds: Set<string>;

  /** @param present the task as it is; undefined for one that begins */
  constructor(
    private readonly limits: TaskLimits,
    present?: Task,
  ) {
    this.#size = present ? sizeOfTask(present) : NOTHING;
    this.#artifactIds = new Set(present?.artifacts.map(({ artifactId }) => artifactId));
  }

  /**
   * Counts an event, unless the task would be too large with it.
   *
   * @throws {UnsupportedOperationError} with a fixed text that names the limit; nothing is counted then
   */
  add({ payload }: StreamResponse): void {
    const size = plus(this.#size, sizeOf(payload));
    const artifactId = payload.case === 'artifactUpdate' ? payload.value.artifact?.artifactId : undefined;
    const isNew = artifactId !== undefined && !this.#artifactIds.has(artifactId);
    const isLast = payload.case === 'statusUpdate' && isTerminal(payload.value.status?.state);
    if (!isLast) check('messages', size.messages, this.limits.historyMessages);
    check('artifacts', this.#artifactIds.size + (isNew ? 1 : 0), this.limits.artifacts);
    check('chunks of artifacts', size.artifactParts, this.limits.artifactChunks);
    check('bytes', size.bytes - (isLast ? LAST_WORDS_BYTES : 0), this.limits.taskBytes);
    this.#size = size;
    if (isNew) this.#artifactIds.add(artifactId);
  }
}

function check(what: string, count: number, limit: number): void {
  if (count > limit) throw new UnsupportedOperationError(`The task is full: it may have ${limit} ${what}`, { limit: String(limit) });
}

function sizeOf(payload: StreamResponse['payload']): Size {
  switch (payload.case) {
    case 'task':
      return sizeOfTask(payload.value);
    case 'message':
      return sizeOfMessage(payload.value);
    case 'statusUpdate':
      return payload.value.status?.message ? sizeOfMessage(payload.value.status.message) : NOTHING;
    case 'artifactUpdate':
      return payload.value.artifact ? sizeOfArtifact(payload.value.artifact) : NOTHING;
    case undefined:
      return NOTHING;
  }
}

function sizeOfTask({ history, status, artifacts }: Task): Size {
  const messages = status?.message ? [...history, status.message] : history;
  return [...messages.map(sizeOfMessage), ...artifacts.map(sizeOfArtifact)].reduce(plus, NOTHING);
}

function sizeOfMessage({ parts, metadata }: Message): Size {
  return { messages: 1, artifactParts: 0, bytes: bytesOf(parts, metadata) };
}

function sizeOfArtifact({ parts, metadata }: Artifact): Size {
  return { messages: 0, artifactParts: parts.length, bytes: bytesOf(parts, metadata) };
}

function bytesOf(parts: readonly Part[], metadata: JsonObject | undefined): number {
  return parts.reduce((sum, part) => sum + bytesOfPart(part), bytesOfObject(metadata));
}

function bytesOfPart(part: Part): number {
  const { content, metadata } = part;
  switch (content.case) {
    case 'text':
    case 'url':
      return Buffer.byteLength(content.value) + bytesOfObject(metadata);
    case 'raw':
      return content.value.length + bytesOfObject(metadata);
    default:
      return toBinary(PartSchema, part).length;
  }
}

function bytesOfObject(object: JsonObject | undefined): number {
  return object ? Buffer.byteLength(JSON.stringify(object)) : 0;
}

function plus(one: Size, other: Size): Size {
  return {
    messages: one.messages + other.messages,
    artifactParts: one.artifactParts + other.artifactParts,
    bytes: one.bytes + other.bytes,
  };
}
