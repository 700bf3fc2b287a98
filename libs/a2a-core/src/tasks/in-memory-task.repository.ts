import { type DescMessage, fromJson, type JsonValue, type MessageShape } from '@bufbuild/protobuf';
import { Clock, SystemClock } from '../clock.js';
import { type Message, MessageSchema, TaskSchema, TaskState } from '../gen/a2a_pb.js';
import { messageToJson } from '../protocol/proto-json.js';
import { isTerminal } from '../protocol/task-state.js';
import { type ShelvedTask, TaskShelf } from './in-memory-task.shelf.js';
import { TaskEvent } from './task-event.js';
import {
  type AbandonedTask,
  ConcurrentModification,
  DuplicateMessage,
  type EndedTask,
  type MessageReceipt,
  type ReceivedMessage,
  type StoredTask,
  type TaskChange,
  type TaskPage,
  type TaskQuery,
  TaskRepository,
} from './task-repository.js';
import { type TaskScope } from './task-scope.js';

/** `clock` tells how old a receipt is. Default: the time of this machine. */
export interface InMemoryTaskRepositoryOptions {
  readonly clock?: Clock;
  /** How long a message id is remembered. Milliseconds, default 24 hours. */
  readonly receiptTtlMs?: number;
}

/**
 * Keeps tasks in this process, for tests and for hosts that may forget. Nothing is dropped by itself but receipts.
 *
 * Every call does its work before it returns its promise, so calls never interleave.
 */
export class InMemoryTaskRepository extends TaskRepository {
  readonly #clock: Clock;
  readonly #receiptTtlMs: number;
  readonly #shelves = new Map<string, TaskShelf>();
  readonly #unfinished = new Map<ShelvedTask, TaskScope>();
  /** In the order of their ends. */
  readonly #ended = new Map<ShelvedTask, { readonly scope: TaskScope; readonly place: number }>();
  #ends = 0;
  readonly #aliveUntilMs = new Map<string, number>();

  constructor({ clock = new SystemClock(), receiptTtlMs = 24 * 60 * 60 * 1000 }: InMemoryTaskRepositoryOptions = {}) {
    super();
    this.#clock = clock;
    this.#receiptTtlMs = receiptTtlMs;
  }

  async commit(scope: TaskScope, change: TaskChange, expectedVersion: number): Promise<number> {
    const shelf = this.#shelf(scope);
    const present = shelf.tasks.get(change.taskId);
    if (change.receipt) this.#checkNew(shelf, change.receipt);
    if ((present?.head.version ?? 0) !== expectedVersion) throw new ConcurrentModification(change.taskId, expectedVersion);

    const { taskId, contextId, events, state, statusAtMs } = change;
    const version = expectedVersion + events.length;
    const head = { taskId, contextId: present?.head.contextId ?? contextId, version, state, statusAtMs };
    const addedJson = events.map(({ json }) => json);
    const snapshot = change.snapshot && { version, json: encode(TaskSchema, change.snapshot) };
    const memos = [...(change.memos ?? [])].map(([step, value]) => [step, JSON.stringify(value)] as const);

    const task: ShelvedTask = present ?? { head, runner: undefined, events: [], memos: new Map() };
    if (present) shelf.replaceHead(task, head);
    else shelf.add(task);
    task.runner = change.runner;
    task.events.push(...addedJson);
    task.snapshot = snapshot ?? task.snapshot;
    for (const [step, json] of memos) task.memos.set(step, json);
    if (change.receipt) shelf.keepReceipt({ ...pickReceipt(change.receipt), taskId, receivedAtMs: this.#clock.now() });
    if (isUnfinished(state)) this.#unfinished.set(task, { ...scope });
    else this.#unfinished.delete(task);
    if (isTerminal(state)) this.#ended.set(task, { scope: { ...scope }, place: ++this.#ends });
    return version;
  }

  async find(scope: TaskScope, taskId: string, knownVersion = 0): Promise<StoredTask | undefined> {
    const task = this.#task(scope, taskId);
    return task && toStoredTask(task, knownVersion);
  }

  async findMany(scope: TaskScope, wanted: readonly { taskId: string; knownVersion: number }[]): Promise<StoredTask[]> {
    return wanted.flatMap(({ taskId, knownVersion }) => {
      const task = this.#task(scope, taskId);
      return task ? [toStoredTask(task, knownVersion)] : [];
    });
  }

  async readEvents(scope: TaskScope, taskId: string, afterVersion: number, limit: number): Promise<TaskEvent[]> {
    return eventsBehind(this.#task(scope, taskId)?.events ?? [], afterVersion, limit);
  }

  async list(scope: TaskScope, query: TaskQuery): Promise<TaskPage> {
    return this.#shelves.get(scopeKey(scope))?.page(query) ?? { heads: [], total: 0, hasMore: false };
  }

  async findMemo(scope: TaskScope, taskId: string, step: string): Promise<JsonValue | undefined> {
    const json = this.#task(scope, taskId)?.memos.get(step);
    return json === undefined ? undefined : (JSON.parse(json) as JsonValue);
  }

  async findReceived(scope: TaskScope, messageId: string): Promise<ReceivedMessage | undefined> {
    const receipt = this.#shelves.get(scopeKey(scope))?.findReceipt(messageId, this.#receiptsSinceMs());
    if (!receipt) return undefined;
    const { digest, taskId, replyJson } = receipt;
    return { messageId, digest, taskId, reply: replyJson === undefined ? undefined : decode(MessageSchema, replyJson) };
  }

  async saveReply(scope: TaskScope, receipt: MessageReceipt, reply: Message): Promise<void> {
    const shelf = this.#shelf(scope);
    this.#checkNew(shelf, receipt);
    shelf.keepReceipt({ ...pickReceipt(receipt), replyJson: encode(MessageSchema, reply), receivedAtMs: this.#clock.now() });
  }

  async keepAlive(runner: string, ttlMs: number): Promise<void> {
    this.#aliveUntilMs.set(runner, this.#clock.now() + ttlMs);
  }

  async findAbandoned(limit: number): Promise<AbandonedTask[]> {
    const now = this.#clock.now();
    const found: AbandonedTask[] = [];
    for (const [{ head, runner }, scope] of this.#unfinished) {
      if (found.length >= limit) break;
      const alive = runner !== undefined && (this.#aliveUntilMs.get(runner) ?? 0) > now;
      if (!alive) found.push({ scope: { ...scope }, taskId: head.taskId });
    }
    return found;
  }

  async findEnded(beforeMs: number, limit: number, after?: EndedTask): Promise<EndedTask[]> {
    const found: EndedTask[] = [];
    for (const [{ head }, { scope, place }] of this.#ended) {
      if (found.length >= limit) break;
      if (head.statusAtMs >= beforeMs || place <= (after?.place ?? 0)) continue;
      found.push({ scope: { ...scope }, taskId: head.taskId, endedAtMs: head.statusAtMs, place });
    }
    return found;
  }

  async delete(scope: TaskScope, taskIds: readonly string[]): Promise<number> {
    const shelf = this.#shelves.get(scopeKey(scope));
    let deleted = 0;
    for (const taskId of taskIds) {
      const task = shelf?.tasks.get(taskId);
      if (!task) continue;
      shelf?.remove(task);
      this.#unfinished.delete(task);
      this.#ended.delete(task);
      deleted++;
    }
    this.#forgetIfEmpty(scope);
    return deleted;
  }

  async deleteReceipts(scope: TaskScope, limit: number, messageIds?: readonly string[]): Promise<number> {
    const deleted = this.#shelves.get(scopeKey(scope))?.deleteReceipts(limit, messageIds) ?? 0;
    this.#forgetIfEmpty(scope);
    return deleted;
  }

  async findScopes(owner: string): Promise<TaskScope[]> {
    return [...this.#shelves.keys()].map(parseScopeKey).filter((scope) => scope.owner === owner);
  }

  #forgetIfEmpty(scope: TaskScope): void {
    if (this.#shelves.get(scopeKey(scope))?.isEmpty) this.#shelves.delete(scopeKey(scope));
  }

  #task(scope: TaskScope, taskId: string): ShelvedTask | undefined {
    return this.#shelves.get(scopeKey(scope))?.tasks.get(taskId);
  }

  #shelf(scope: TaskScope): TaskShelf {
    const key = scopeKey(scope);
    const shelf = this.#shelves.get(key) ?? new TaskShelf();
    this.#shelves.set(key, shelf);
    return shelf;
  }

  #checkNew(shelf: TaskShelf, { messageId }: MessageReceipt): void {
    if (shelf.findReceipt(messageId, this.#receiptsSinceMs())) throw new DuplicateMessage(messageId);
  }

  #receiptsSinceMs(): number {
    return this.#clock.now() - this.#receiptTtlMs;
  }
}

function scopeKey({ agentId, tenant, owner }: TaskScope): string {
  return JSON.stringify([agentId, tenant, owner]);
}

function parseScopeKey(key: string): TaskScope {
  const [agentId, tenant, owner] = JSON.parse(key) as [string, string, string];
  return { agentId, tenant, owner };
}

function pickReceipt({ messageId, digest }: MessageReceipt): MessageReceipt {
  return { messageId, digest };
}

function isUnfinished(state: TaskState): boolean {
  return state === TaskState.SUBMITTED || state === TaskState.WORKING;
}

function toStoredTask({ head, snapshot, events }: ShelvedTask, knownVersion: number): StoredTask {
  const newer = snapshot && snapshot.version > knownVersion ? snapshot : undefined;
  return {
    head: { ...head },
    snapshot: newer && { version: newer.version, task: decode(TaskSchema, newer.json) },
    events: eventsBehind(events, newer?.version ?? knownVersion),
  };
}

function eventsBehind(events: readonly string[], version: number, limit = Infinity): TaskEvent[] {
  return events.slice(version, version + limit).map((json, index) => TaskEvent.parse(version + index + 1, json));
}

function encode<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): string {
  return JSON.stringify(messageToJson(schema, message));
}

function decode<Desc extends DescMessage>(schema: Desc, json: string): MessageShape<Desc> {
  return fromJson(schema, JSON.parse(json) as JsonValue, { ignoreUnknownFields: true });
}
