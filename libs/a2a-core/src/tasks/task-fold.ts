import { type JsonObject } from '@bufbuild/protobuf';
import { type Artifact, type StreamResponse, type Task, type TaskStatus } from '../gen/a2a_pb.js';
import { type TaskEvent } from './task-event.js';

/**
 * Folds a task's events into the task (A2A §3.7, §4.2).
 *
 * - `share()` hands out the task as it is; later events never change what was handed out. Parts that did not change are shared.
 * - The cost of `apply` does not grow with the task, except for the first event after `share()`, which copies one array of references.
 * - The message of a status joins the history when the next status replaces it, so nothing stands in both places.
 */
export class TaskFold {
  #task: Task;
  #version: number;
  #owned = false;
  #ownsHistory = false;
  #ownsArtifacts = false;
  readonly #ownedArtifacts = new Set<string>();

  constructor(task: Task, version: number) {
    this.#task = task;
    this.#version = version;
  }

  /** @param events a log from its first event, which holds the task */
  static from(events: readonly TaskEvent[]): TaskFold {
    const [first, ...rest] = events;
    if (first?.event.payload.case !== 'task') throw new Error('A task log begins with the task');
    const fold = new TaskFold(first.event.payload.value, first.version);
    for (const event of rest) fold.apply(event);
    return fold;
  }

  get version(): number {
    return this.#version;
  }

  get status(): TaskStatus | undefined {
    return this.#task.status;
  }

  apply(event: TaskEvent): void {
    this.#own();
    this.#applyPayload(event.event.payload);
    this.#version = event.version;
  }

  share(): Task {
    this.#owned = this.#ownsHistory = this.#ownsArtifacts = false;
    this.#ownedArtifacts.clear();
    return this.#task;
  }

  #own(): void {
    if (this.#owned) return;
    this.#task = { ...this.#task };
    this.#owned = true;
  }

  #applyPayload(payload: StreamResponse['payload']): void {
    switch (payload.case) {
      case 'task':
        this.#task = { ...payload.value };
        this.#ownsHistory = this.#ownsArtifacts = false;
        return;
      case 'message':
        this.#history().push(payload.value);
        return;
      case 'statusUpdate': {
        const { status } = payload.value;
        const superseded = this.#task.status?.message;
        if (superseded) this.#history().push(superseded);
        this.#task.status = status;
        return;
      }
      case 'artifactUpdate': {
        const { artifact, append } = payload.value;
        if (artifact) this.#applyArtifact(artifact, append);
        return;
      }
      case undefined:
        return;
    }
  }

  #applyArtifact(artifact: Artifact, append: boolean): void {
    const artifacts = this.#artifacts();
    const index = artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId);
    const present = artifacts[index];
    if (!present) {
      artifacts.push(artifact);
    } else if (append) {
      const target = this.#ownedArtifacts.has(present.artifactId) ? present : { ...present, parts: [...present.parts] };
      artifacts[index] = extend(target, artifact);
      this.#ownedArtifacts.add(present.artifactId);
    } else {
      artifacts[index] = artifact;
      this.#ownedArtifacts.delete(artifact.artifactId);
    }
  }

  #history(): Task['history'] {
    if (!this.#ownsHistory) this.#task.history = [...this.#task.history];
    this.#ownsHistory = true;
    return this.#task.history;
  }

  #artifacts(): Task['artifacts'] {
    if (!this.#ownsArtifacts) this.#task.artifacts = [...this.#task.artifacts];
    this.#ownsArtifacts = true;
    return this.#task.artifacts;
  }
}

/** Appends a chunk: parts go behind, metadata merges, names and extensions of the chunk are taken over. */
function extend(target: Artifact, chunk: Artifact): Artifact {
  for (const part of chunk.parts) target.parts.push(part);
  if (chunk.metadata) target.metadata = merge(target.metadata, chunk.metadata);
  if (chunk.name) target.name = chunk.name;
  if (chunk.description) target.description = chunk.description;
  if (chunk.extensions.length > 0) target.extensions = [...new Set([...target.extensions, ...chunk.extensions])];
  return target;
}

function merge(present: JsonObject | undefined, added: JsonObject): JsonObject {
  return Object.fromEntries([...Object.entries(present ?? {}), ...Object.entries(added)]);
}

/** The task with at most the last `historyLength` messages; undefined for all (A2A §3.2.4). */
export function withHistory(task: Task, historyLength: number | undefined): Task {
  if (historyLength === undefined || task.history.length <= historyLength) return task;
  return { ...task, history: historyLength === 0 ? [] : task.history.slice(-historyLength) };
}

/** The task without its artifacts (A2A §3.1.4). */
export function withoutArtifacts(task: Task): Task {
  return task.artifacts.length === 0 ? task : { ...task, artifacts: [] };
}
