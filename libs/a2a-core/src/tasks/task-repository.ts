import { type JsonValue } from '@bufbuild/protobuf';
import { type Message, type Task, type TaskState } from '../gen/a2a_pb.js';
import { type TaskEvent } from './task-event.js';
import { type TaskScope } from './task-scope.js';

/** The small row of a task: all that changes with an event, nothing that grows with the task. */
export interface TaskHead {
  readonly taskId: string;
  readonly contextId: string;
  /** Version of the last event in the log. */
  readonly version: number;
  readonly state: TaskState;
  /** Timestamp of the current status; Unix epoch, milliseconds. */
  readonly statusAtMs: number;
}

/** A folded task that saves reading the log from its start. */
export interface TaskSnapshot {
  readonly version: number;
  readonly task: Task;
}

/** A task's row and as much of its log as the reader does not have yet. */
export interface StoredTask {
  readonly head: TaskHead;
  /** Present when the reader's version is older than the newest snapshot. */
  readonly snapshot?: TaskSnapshot;
  /** In order, without holes, from behind the snapshot (or the reader's version) to `head.version`. */
  readonly events: readonly TaskEvent[];
}

/** Events to append to one task, and what its row is afterwards. */
export interface TaskChange {
  readonly taskId: string;
  readonly contextId: string;
  /** At least one; versions follow `expectedVersion` without holes. */
  readonly events: readonly TaskEvent[];
  readonly state: TaskState;
  readonly statusAtMs: number;
  /** The process that executes the task, while it is SUBMITTED or WORKING; undefined otherwise. */
  readonly runner?: string;
  /** The client's message that this change answers, for de-duplication. */
  readonly receipt?: MessageReceipt;
  /** Results of steps that must not run twice, keyed by step. */
  readonly memos?: ReadonlyMap<string, JsonValue>;
  /** Folded task at the last of `events`, to be kept beside the log. */
  readonly snapshot?: Task;
}

/** Proof that a message was accepted (A2A §3.3.1). */
export interface MessageReceipt {
  readonly messageId: string;
  /** Digest of the message and its configuration. */
  readonly digest: string;
}

/** What became of a message: a task, or a direct reply. */
export interface ReceivedMessage extends MessageReceipt {
  readonly taskId?: string;
  readonly reply?: Message;
}

/** Where a page begins: behind this task in the order of `list`. */
export interface TaskCursor {
  readonly statusAtMs: number;
  readonly taskId: string;
}

/** One page of a list (A2A §3.1.4). Members that are undefined do not filter. */
export interface TaskQuery {
  readonly contextId?: string;
  readonly state?: TaskState;
  /** Unix epoch, milliseconds, inclusive. */
  readonly statusAtOrAfterMs?: number;
  readonly after?: TaskCursor;
  readonly limit: number;
}

/** Heads alone: the tasks are folded from their logs only where they are asked for. */
export interface TaskPage {
  /** Newest status first, ties by task id descending. */
  readonly heads: readonly TaskHead[];
  /** Matches over all pages. */
  readonly total: number;
  readonly hasMore: boolean;
}

/** A task whose executing process is gone. */
export interface AbandonedTask {
  readonly scope: TaskScope;
  readonly taskId: string;
}

/** A task that has ended, as `findEnded` pages over them. */
export interface EndedTask {
  readonly scope: TaskScope;
  readonly taskId: string;
  /** Timestamp of its last status; Unix epoch, milliseconds. */
  readonly endedAtMs: number;
  /** Its place among those that ended at the same moment; the store's own. */
  readonly place: number;
}

/** Another writer was first. Reload, look, and decide anew. */
export class ConcurrentModification extends Error {
  constructor(taskId: string, expectedVersion: number) {
    super(`Task ${taskId} is not at version ${expectedVersion} any more`);
    this.name = 'ConcurrentModification';
  }
}

/** The message was accepted before; `findReceived` tells what became of it. */
export class DuplicateMessage extends Error {
  constructor(messageId: string) {
    super(`Message ${messageId} was accepted before`);
    this.name = 'DuplicateMessage';
  }
}

/**
 * Stores tasks and the events that made them.
 *
 * - `commit` is atomic: a reader sees the row, the events and the memos of a change, or nothing of it. When it has resolved, the change
 *   survives a crash of the process (and for durable stores, of the machine).
 * - Versions of one task start at 1 and have no holes.
 * - The cost of a commit and of a page does not grow with the task or the store.
 * - What lies outside `scope` does not exist: it is not found, never forbidden (A2A §3.3.2, §13.1).
 * - Nothing given to or got from a repository is shared with it.
 */
export abstract class TaskRepository {
  /**
   * Appends events and replaces the row.
   *
   * @param expectedVersion version the writer last saw; 0 for a task not yet stored
   * @returns the version this commit produced
   * @throws {ConcurrentModification} when the task is at another version (or, with 0, exists)
   * @throws {DuplicateMessage} when `change.receipt` names a message that was accepted before in this scope
   */
  abstract commit(scope: TaskScope, change: TaskChange, expectedVersion: number): Promise<number>;

  /**
   * @param knownVersion version the reader already holds; 0 for none
   * @returns undefined when the scope has no such task
   */
  abstract find(scope: TaskScope, taskId: string, knownVersion?: number): Promise<StoredTask | undefined>;

  /** As `find` for several tasks in one go; absent ones are left out. Order is free. */
  abstract findMany(scope: TaskScope, wanted: readonly { taskId: string; knownVersion: number }[]): Promise<StoredTask[]>;

  /**
   * Events behind `afterVersion`, in order, at most `limit`; nothing for a task outside the scope. Unlike `find` it reads through
   * snapshots: every event of the log is still there.
   */
  abstract readEvents(scope: TaskScope, taskId: string, afterVersion: number, limit: number): Promise<TaskEvent[]>;

  abstract list(scope: TaskScope, query: TaskQuery): Promise<TaskPage>;

  abstract findMemo(scope: TaskScope, taskId: string, step: string): Promise<JsonValue | undefined>;

  abstract findReceived(scope: TaskScope, messageId: string): Promise<ReceivedMessage | undefined>;

  /**
   * Remembers the direct reply to a message.
   *
   * @throws {DuplicateMessage} when the message was accepted before in this scope
   */
  abstract saveReply(scope: TaskScope, receipt: MessageReceipt, reply: Message): Promise<void>;

  /** Says that the process `runner` lives for `ttlMs` more, by the store's own clock. */
  abstract keepAlive(runner: string, ttlMs: number): Promise<void>;

  /** Unfinished tasks (SUBMITTED or WORKING) whose runner does not live any more, at most `limit`. Looks across all scopes. */
  abstract findAbandoned(limit: number): Promise<AbandonedTask[]>;

  /**
   * Tasks that ended before a moment, in an order of the store's own, at most `limit`. Looks across all scopes.
   *
   * @param after the last task of the page before; it may be gone by now
   */
  abstract findEnded(beforeMs: number, limit: number, after?: EndedTask): Promise<EndedTask[]>;

  /**
   * Removes tasks with their events, snapshots and memos. Absent ones are no error. Receipts stay, see `deleteReceipts`.
   *
   * Nobody finds the tasks from the first moment on; what is kept of them is removed piece by piece, so that no writer waits long. When
   * this has resolved, nothing is left; a process that dies before leaves the rest to the next one.
   *
   * @returns how many there were
   */
  abstract delete(scope: TaskScope, taskIds: readonly string[]): Promise<number>;

  /**
   * Removes receipts and the direct replies they hold, at most `limit`.
   *
   * @param messageIds of these messages only. Default: of any
   * @returns how many there were
   */
  abstract deleteReceipts(scope: TaskScope, limit: number, messageIds?: readonly string[]): Promise<number>;

  /** Where `owner` has tasks or receipts. Looks across all agents and tenants. */
  abstract findScopes(owner: string): Promise<TaskScope[]>;
}
