import { type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import {
  type Artifact,
  type Message,
  type Part,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskStatusUpdateEvent,
} from '../gen/a2a_pb.js';
import { type Principal } from '../call/principal.js';
import { type FetchedPart, type FetchPartOptions } from '../outbound/fetch-part.js';
import { type ArtifactExtras } from '../protocol/messages.js';
import { type ArtifactUpdateExtras } from '../protocol/events.js';
import { type TaskRef } from './task-resumer.js';

/** Text, one part or several. */
export type Content = string | Part | readonly Part[];

/** Durable values, shared by every turn that sees the same store. */
export interface TurnStore {
  get(key: string): Promise<JsonValue | undefined>;
  /** Atomic; `change` may run more than once. @returns the value now stored */
  update(key: string, change: (present: JsonValue | undefined) => JsonValue | undefined): Promise<JsonValue | undefined>;
  set(key: string, value: JsonValue): Promise<void>;
}

/** Writes to the host's log with agent, task and context already in each line. */
export interface TurnLogger {
  debug(message: string, facts?: Record<string, unknown>): void;
  info(message: string, facts?: Record<string, unknown>): void;
  warn(message: string, facts?: Record<string, unknown>): void;
  error(message: string, facts?: Record<string, unknown>): void;
}

/**
 * One turn: a message to the agent and everything around it.
 *
 * The makers (`working`, `artifact`, `completed`, …) only build events with the right ids; an event counts once it is yielded.
 */
export interface TurnContext {
  readonly agentId: string;
  /** Names this turn's task for `TaskResumer`, from anywhere and after a restart. */
  readonly ref: TaskRef;
  /** Id of the task this turn belongs to, or would create. */
  readonly taskId: string;
  readonly contextId: string;
  readonly tenant: string;
  readonly principal: Principal;

  /** What the caller said. */
  readonly message: Message;
  /** True when no message began this turn but `TaskResumer.resume`; `message` is then the last one of the client. */
  readonly resumed: boolean;
  /** What `TaskResumer.resume` passed on; empty otherwise. */
  readonly resumeMetadata: JsonObject;
  /** Text parts of `message`, joined by line breaks. */
  readonly text: string;
  /**
   * What the caller put under `SECRETS_URI` of the message's metadata; undefined when nothing, and in a turn that no message began. It is
   * stored nowhere: use it in this turn, and put it into no event, memo, store or log.
   */
  readonly secrets: JsonValue | undefined;
  /** `SendMessageRequest.metadata`. */
  readonly requestMetadata: JsonObject;
  /** Media types the caller can use; empty for any (A2A §3.2.2). */
  readonly acceptedOutputModes: readonly string[];
  /** Extensions in force for this turn. */
  readonly activatedExtensions: readonly string[];
  /** Headers or metadata of the call, names in lower case. Credentials are not among them. */
  readonly headers: ReadonlyMap<string, string>;

  /** The task before this turn's message, history included; undefined on a first turn. A copy: changing it changes nothing. */
  readonly task: Task | undefined;
  /** Tasks that the message refers to and the caller may see; others are left out (A2A §3.4.3). */
  referencedTasks(): Promise<Task[]>;

  /** Aborts when the task is cancelled, wherever the cancel arrived, and when the host must stop. */
  readonly signal: AbortSignal;
  readonly logger: TurnLogger;

  /** Durable values of this conversation (caller and contextId). */
  readonly contextStore: TurnStore;
  /** Durable values of this caller, over all conversations with this agent. */
  readonly callerStore: TurnStore;

  /**
   * The result of a step that must not run twice in this task. The first call makes and keeps it, together with the next event; later
   * calls, in this turn, in another or after a restart, return what was kept.
   */
  memo<T extends JsonValue>(step: string, make: () => Promise<T> | T): Promise<T>;

  /**
   * Gets the file behind a part's `url`, where the host allows it: public addresses, bounded size and time, no redirects. Never fetch such
   * a URL by other means: whoever wrote the message wrote it (A2A §14.1.1).
   *
   * @throws {PartNotFetchedError} whose text the caller may see; uncaught it fails the task with it
   */
  fetchPart(part: Part, options?: FetchPartOptions): Promise<FetchedPart>;

  /**
   * Says that the work goes on outside this turn: its end leaves the task in the state it has (WORKING, say), and
   * `TaskResumer.resume(turn.ref)` goes on with it later.
   */
  detach(): void;

  /**
   * Asks whether this turn's caller may use another skill of the agent, for a step that needs more than the turn itself. Ask again before
   * each such step: what was allowed in an earlier turn says nothing of this one (A2A §7.6.4).
   *
   * Let the error pass: before there is a task it refuses the message, afterwards the task becomes AUTH_REQUIRED and the next message, with
   * better credentials, starts a new turn. A turn that no message began has no credentials and is refused where any are needed.
   *
   * @throws {A2aError} UNAUTHENTICATED or PERMISSION_DENIED, naming the missing scope and no resource
   */
  requireSkill(skillId: string): Promise<void>;

  /** Media type of the first of `available` that the caller accepts; undefined when none would do. */
  preferredOutputMode(available: readonly string[]): string | undefined;

  working(content?: Content): TaskStatusUpdateEvent;
  /** A whole artifact. */
  artifact(content: Content, extras?: ArtifactExtras & { readonly eventMetadata?: JsonObject }): TaskArtifactUpdateEvent;
  /** A piece of an artifact that the caller holds by its id. */
  artifactChunk(artifact: Artifact, extras?: ArtifactUpdateExtras): TaskArtifactUpdateEvent;
  completed(content?: Content): TaskStatusUpdateEvent;
  failed(content: Content): TaskStatusUpdateEvent;
  rejected(content?: Content): TaskStatusUpdateEvent;
  canceled(content?: Content): TaskStatusUpdateEvent;
  /** The agent needs a message to go on; the next one on this task starts a new turn. */
  requireInput(content: Content): TaskStatusUpdateEvent;
  /** The agent needs an authorization, obtained out of band (A2A §7.6). It authorises nothing by itself: check again before acting. */
  requireAuth(content: Content): TaskStatusUpdateEvent;
  /** A direct answer, without a task. Only as the first event of a first turn. */
  reply(content: Content, extras?: { readonly metadata?: JsonObject }): Message;
}
