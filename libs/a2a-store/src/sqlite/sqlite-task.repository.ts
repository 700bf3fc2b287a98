import {
  type AbandonedTask,
  type EndedTask,
  type Message,
  MessageSchema,
  messageToJson,
  type MessageReceipt,
  type ReceivedMessage,
  type StoredTask,
  type TaskChange,
  TaskEvent,
  taskKey,
  type TaskPage,
  type TaskQuery,
  TaskRepository,
  type TaskScope,
} from '@a2a/a2a-core';
import { type JsonValue } from '@bufbuild/protobuf';
import type Database from 'better-sqlite3';
import { encodeChange, formatScope, parseScope, type ScopeKey } from '../encoded-change.js';
import { formatKey, parseKey } from '../key-text.js';
import { type HeadRow, type MessageRow, parseTask, toHead, toReceivedMessage } from '../rows.js';
import { checkOpen } from './sqlite.connection.js';
import { SqliteCommit } from './sqlite-commit.js';
import { type SqliteRemoval } from './sqlite-removal.js';
import { SqliteTaskList } from './sqlite-task-list.js';
import { type WriteQueue } from './write-queue.js';

interface TaskRow extends HeadRow {
  readonly no: number;
  readonly snapshot_version: number;
}
interface EventRow {
  readonly version: number;
  readonly payload: string;
}

/** Tasks in a SQLite file. Reads run at once; writes are committed in groups, see WriteQueue. */
export class SqliteTaskRepository extends TaskRepository {
  readonly #commit: SqliteCommit;
  readonly #list: SqliteTaskList;
  readonly #task: Database.Statement<[string], TaskRow>;
  readonly #snapshot: Database.Statement<[number], EventRow>;
  readonly #events: Database.Statement<[number, number, number], EventRow>;
  readonly #memo: Database.Statement<[string, string], { value: string }>;
  readonly #message: Database.Statement<[ScopeKey & { messageId: string }], MessageRow & { received_at: number }>;
  readonly #alive: Database.Statement<[string, number]>;
  readonly #abandoned: Database.Statement<[number, number], ScopeKey & { id: string }>;

  constructor(
    private readonly database: Database.Database,
    private readonly queue: WriteQueue,
    private readonly removal: SqliteRemoval,
    private readonly receiptTtlMs: number,
  ) {
    super();
    this.#commit = new SqliteCommit(database, receiptTtlMs);
    this.#list = new SqliteTaskList(database);
    this.#task = database.prepare(`SELECT no, id, context_id, state, version, status_at, snapshot_version FROM a2a_task WHERE key = ?`);
    this.#snapshot = database.prepare('SELECT version, payload FROM a2a_snapshot WHERE task_no = ?');
    this.#events = database.prepare('SELECT version, payload FROM a2a_event WHERE task_no = ? AND version > ? ORDER BY version LIMIT ?');
    this.#memo = database.prepare(`SELECT value FROM a2a_memo WHERE task_no = (SELECT no FROM a2a_task WHERE key = ?) AND step = ?`);
    this.#message = database.prepare(
      `SELECT digest, task_id, reply, received_at FROM a2a_message
       WHERE agent = @agent AND tenant = @tenant AND owner = @owner AND message_id = @messageId`,
    );
    this.#alive = database.prepare('INSERT OR REPLACE INTO a2a_runner (id, alive_until) VALUES (?, ?)');
    this.#abandoned = database.prepare(
      `SELECT agent, tenant, owner, t.id FROM a2a_task t LEFT JOIN a2a_runner r ON r.id = t.runner AND r.alive_until > ?
       WHERE t.state < 3 AND r.id IS NULL LIMIT ?`,
    );
  }

  async commit(scope: TaskScope, change: TaskChange, expectedVersion: number): Promise<number> {
    const encoded = encodeChange(scope, change, expectedVersion);
    return this.queue.run(() => this.#commit.apply(encoded));
  }

  async find(scope: TaskScope, taskId: string, knownVersion = 0): Promise<StoredTask | undefined> {
    checkOpen(this.database);
    const row = this.#task.get(taskKey(scope, taskId));
    if (!row) return undefined;
    const snapshot = row.snapshot_version > knownVersion ? this.#snapshot.get(row.no) : undefined;
    return {
      head: toHead(row),
      snapshot: snapshot && { version: snapshot.version, task: parseTask(snapshot.payload) },
      events: this.#eventsBehind(row.no, snapshot?.version ?? knownVersion, -1),
    };
  }

  async findMany(scope: TaskScope, wanted: readonly { taskId: string; knownVersion: number }[]): Promise<StoredTask[]> {
    const found = await Promise.all(wanted.map(({ taskId, knownVersion }) => this.find(scope, taskId, knownVersion)));
    return found.filter((task) => task !== undefined);
  }

  async readEvents(scope: TaskScope, taskId: string, afterVersion: number, limit: number): Promise<TaskEvent[]> {
    checkOpen(this.database);
    const row = this.#task.get(taskKey(scope, taskId));
    return row ? this.#eventsBehind(row.no, afterVersion, limit) : [];
  }

  async list(scope: TaskScope, query: TaskQuery): Promise<TaskPage> {
    checkOpen(this.database);
    return this.#list.page(formatScope(scope), query);
  }

  async findMemo(scope: TaskScope, taskId: string, step: string): Promise<JsonValue | undefined> {
    checkOpen(this.database);
    const row = this.#memo.get(taskKey(scope, taskId), formatKey(step));
    return row && (JSON.parse(row.value) as JsonValue);
  }

  async findReceived(scope: TaskScope, messageId: string): Promise<ReceivedMessage | undefined> {
    checkOpen(this.database);
    const row = this.#message.get({ ...formatScope(scope), messageId: formatKey(messageId) });
    return row && row.received_at > Date.now() - this.receiptTtlMs ? toReceivedMessage(messageId, row) : undefined;
  }

  async saveReply(scope: TaskScope, receipt: MessageReceipt, reply: Message): Promise<void> {
    const key = formatScope(scope);
    const messageId = formatKey(receipt.messageId);
    const { digest } = receipt;
    const json = JSON.stringify(messageToJson(MessageSchema, reply));
    await this.queue.run(() => {
      this.#commit.checkNew(key, messageId);
      this.#commit.receive(key, messageId, digest, { reply: json });
    });
  }

  async keepAlive(runner: string, ttlMs: number): Promise<void> {
    await this.queue.run(() => this.#alive.run(formatKey(runner), Date.now() + ttlMs));
  }

  async findAbandoned(limit: number): Promise<AbandonedTask[]> {
    checkOpen(this.database);
    return this.#abandoned.all(Date.now(), limit).map(({ agent, tenant, owner, id }) => ({
      scope: parseScope({ agent, tenant, owner }),
      taskId: parseKey(id),
    }));
  }

  async findEnded(beforeMs: number, limit: number, after?: EndedTask): Promise<EndedTask[]> {
    checkOpen(this.database);
    return this.removal.findEnded(beforeMs, limit, after);
  }

  async delete(scope: TaskScope, taskIds: readonly string[]): Promise<number> {
    return this.removal.deleteTasks(
      formatScope(scope),
      taskIds.map((taskId) => taskKey(scope, taskId)),
    );
  }

  async deleteReceipts(scope: TaskScope, limit: number, messageIds?: readonly string[]): Promise<number> {
    return this.removal.deleteReceipts(formatScope(scope), limit, messageIds?.map(formatKey));
  }

  async findScopes(owner: string): Promise<TaskScope[]> {
    checkOpen(this.database);
    return this.removal.findScopes(formatKey(owner)).map(parseScope);
  }

  #eventsBehind(taskNo: number, version: number, limit: number): TaskEvent[] {
    return this.#events.all(taskNo, version, limit).map((row) => TaskEvent.parse(row.version, row.payload));
  }
}
