import { clone, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import {
  type Artifact,
  type Message,
  type Part,
  type Task,
  type TaskArtifactUpdateEvent,
  TaskSchema,
  TaskState,
  type TaskStatusUpdateEvent,
} from '../gen/a2a_pb.js';
import { type Principal } from '../call/principal.js';
import { type FetchedPart, type FetchPartOptions } from '../outbound/fetch-part.js';
import { type ArtifactUpdateExtras, artifactUpdate, statusUpdate } from '../protocol/events.js';
import { agentMessage, artifact as makeArtifact, type ArtifactExtras, textOf } from '../protocol/messages.js';
import { acceptsMediaType } from '../protocol/media-types.js';
import { type TurnRequest } from './pending-turn.js';
import { type TaskRef } from './task-resumer.js';
import { type Content, type TurnContext, type TurnLogger, type TurnStore } from './turn-context.js';

/** What a turn is made from. */
export interface TurnFacts {
  readonly ref: TaskRef;
  readonly contextId: string;
  readonly request: TurnRequest;
  /** The task before the message; shared, so the turn copies it before it hands it out. */
  readonly task?: Task;
}

/** What a turn reaches into. */
export interface TurnServices {
  readonly signal: AbortSignal;
  readonly logger: TurnLogger;
  readonly contextStore: TurnStore;
  readonly callerStore: TurnStore;
  memo<T extends JsonValue>(step: string, make: () => Promise<T> | T): Promise<T>;
  referencedTasks(): Promise<Task[]>;
  fetchPart(part: Part, options?: FetchPartOptions): Promise<FetchedPart>;
  requireSkill(skillId: string): Promise<void>;
}

const NO_HEADERS: ReadonlyMap<string, string> = new Map();

/** The TurnContext that agents get. */
export class Turn implements TurnContext {
  #task?: Task;
  #detached = false;

  constructor(
    private readonly facts: TurnFacts,
    private readonly services: TurnServices,
  ) {}

  get ref(): TaskRef {
    return this.facts.ref;
  }
  get agentId(): string {
    return this.facts.ref.scope.agentId;
  }
  get taskId(): string {
    return this.facts.ref.taskId;
  }
  get contextId(): string {
    return this.facts.contextId;
  }
  get tenant(): string {
    return this.facts.ref.scope.tenant;
  }
  get principal(): Principal {
    return this.facts.request.principal;
  }
  get message(): Message {
    return this.facts.request.message;
  }
  get text(): string {
    return textOf(this.message);
  }
  get secrets(): JsonValue | undefined {
    return this.facts.request.secrets;
  }
  get requestMetadata(): JsonObject {
    return this.facts.request.requestMetadata ?? {};
  }
  get acceptedOutputModes(): readonly string[] {
    return this.facts.request.acceptedOutputModes ?? [];
  }
  get activatedExtensions(): readonly string[] {
    return this.facts.request.activatedExtensions ?? [];
  }
  get headers(): ReadonlyMap<string, string> {
    return this.facts.request.headers ?? NO_HEADERS;
  }
  get resumed(): boolean {
    return this.facts.request.resumeMetadata !== undefined;
  }
  get resumeMetadata(): JsonObject {
    return this.facts.request.resumeMetadata ?? {};
  }
  get task(): Task | undefined {
    return (this.#task ??= this.facts.task && clone(TaskSchema, this.facts.task));
  }
  get signal(): AbortSignal {
    return this.services.signal;
  }
  get logger(): TurnLogger {
    return this.services.logger;
  }
  get contextStore(): TurnStore {
    return this.services.contextStore;
  }
  get callerStore(): TurnStore {
    return this.services.callerStore;
  }
  get isDetached(): boolean {
    return this.#detached;
  }

  memo<T extends JsonValue>(step: string, make: () => Promise<T> | T): Promise<T> {
    return this.services.memo(step, make);
  }
  referencedTasks(): Promise<Task[]> {
    return this.services.referencedTasks();
  }
  requireSkill(skillId: string): Promise<void> {
    return this.services.requireSkill(skillId);
  }
  fetchPart(part: Part, options?: FetchPartOptions): Promise<FetchedPart> {
    return this.services.fetchPart(part, options);
  }
  detach(): void {
    this.#detached = true;
  }
  preferredOutputMode(available: readonly string[]): string | undefined {
    const { acceptedOutputModes } = this;
    if (acceptedOutputModes.length === 0) return available[0];
    return available.find((mode) => acceptedOutputModes.some((accepted) => acceptsMediaType(accepted, mode)));
  }

  working(content?: Content): TaskStatusUpdateEvent {
    return this.#status(TaskState.WORKING, content);
  }
  completed(content?: Content): TaskStatusUpdateEvent {
    return this.#status(TaskState.COMPLETED, content);
  }
  failed(content: Content): TaskStatusUpdateEvent {
    return this.#status(TaskState.FAILED, content);
  }
  rejected(content?: Content): TaskStatusUpdateEvent {
    return this.#status(TaskState.REJECTED, content);
  }
  canceled(content?: Content): TaskStatusUpdateEvent {
    return this.#status(TaskState.CANCELED, content);
  }
  requireInput(content: Content): TaskStatusUpdateEvent {
    return this.#status(TaskState.INPUT_REQUIRED, content);
  }
  requireAuth(content: Content): TaskStatusUpdateEvent {
    return this.#status(TaskState.AUTH_REQUIRED, content);
  }
  artifact(content: Content, extras: ArtifactExtras & { readonly eventMetadata?: JsonObject } = {}): TaskArtifactUpdateEvent {
    const { eventMetadata, ...artifactExtras } = extras;
    return artifactUpdate(this, makeArtifact(content, artifactExtras), { lastChunk: true, metadata: eventMetadata });
  }
  artifactChunk(artifact: Artifact, extras: ArtifactUpdateExtras = {}): TaskArtifactUpdateEvent {
    return artifactUpdate(this, artifact, extras);
  }
  reply(content: Content, extras: { readonly metadata?: JsonObject } = {}): Message {
    return agentMessage(content, { contextId: this.contextId, ...extras });
  }

  #status(state: TaskState, content?: Content): TaskStatusUpdateEvent {
    const ids = { taskId: this.taskId, contextId: this.contextId };
    return statusUpdate(ids, state, { message: content === undefined ? undefined : agentMessage(content, ids) });
  }
}
