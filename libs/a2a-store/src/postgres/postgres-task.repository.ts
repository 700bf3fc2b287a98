import {
  type AbandonedTask,
  DuplicateMessage,
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
import { encodeChange, formatScope, parseScope, type ScopeKey } from '../encoded-change.js';
import { formatKey, parseKey } from '../key-text.js';
import { type HeadRow, type MessageRow, toHead, toReceivedMessage } from '../rows.js';
import { type PostgresCommits } from './postgres-commits.js';
import { type PostgresConnection } from './postgres.connection.js';
import { type PostgresRemoval } from './postgres-removal.js';
import { hasUnknownOutcome } from './statement-failure.js';
import { type FoundRow, toStoredTasks } from './found-rows.js';
import { FIND, FIND_ABANDONED, FIND_MEMO, FIND_MESSAGE, KEEP_ALIVE, listStatement, READ_EVENTS, SAVE_REPLY } from './task-statements.js';

/** Of PostgreSQL's integer. Who asks for a head alone says that it knows more than there can be. */
const LARGEST_VERSION = 2 ** 31 - 1;

/** Tasks in PostgreSQL, for any number of processes. Every method but removal is one round trip. */
export class PostgresTaskRepository extends TaskRepository {
  constructor(
    private readonly connection: PostgresConnection,
    private readonly commits: PostgresCommits,
    private readonly removal: PostgresRemoval,
    private readonly receiptTtlMs: number,
  ) {
    super();
  }

  async commit(scope: TaskScope, change: TaskChange, expectedVersion: number): Promise<number> {
    return this.commits.commit(encodeChange(scope, change, expectedVersion));
  }

  async find(scope: TaskScope, taskId: string, knownVersion = 0): Promise<StoredTask | undefined> {
    const [task] = await this.findMany(scope, [{ taskId, knownVersion }]);
    return task;
  }

  async findMany(scope: TaskScope, wanted: readonly { taskId: string; knownVersion: number }[]): Promise<StoredTask[]> {
    if (wanted.length === 0) return [];
    const keys = wanted.map(({ taskId }) => taskKey(scope, taskId));
    const versions = wanted.map(({ knownVersion }) => Math.min(knownVersion, LARGEST_VERSION));
    return toStoredTasks(await this.connection.runRepeatable<FoundRow>(FIND, [keys, versions]));
  }

  async readEvents(scope: TaskScope, taskId: string, afterVersion: number, limit: number): Promise<TaskEvent[]> {
    const values = [taskKey(scope, taskId), afterVersion, limit];
    const rows = await this.connection.runRepeatable<{ version: number; payload: string }>(READ_EVENTS, values);
    return rows.map(({ version, payload }) => TaskEvent.parse(version, payload));
  }

  async list(scope: TaskScope, query: TaskQuery): Promise<TaskPage> {
    const { contextId, state, statusAtOrAfterMs, after, limit } = query;
    const filters = [contextId === undefined ? undefined : formatKey(contextId), state, statusAtOrAfterMs];
    const cursor = after ? [after.statusAtMs, formatKey(after.taskId)] : [];
    const values = [...scopeValues(scope), ...filters.filter((value) => value !== undefined), ...cursor, limit + 1];
    const rows = await this.connection.runRepeatable<HeadRow & { total: number; id: string | null }>(listStatement(query), values);
    const heads = rows.filter(({ id }) => id !== null).map(toHead);
    return { heads: heads.slice(0, limit), total: rows[0]?.total ?? 0, hasMore: heads.length > limit };
  }

  async findMemo(scope: TaskScope, taskId: string, step: string): Promise<JsonValue | undefined> {
    const values = [taskKey(scope, taskId), formatKey(step)];
    const [row] = await this.connection.runRepeatable<{ value: string }>(FIND_MEMO, values);
    return row && (JSON.parse(row.value) as JsonValue);
  }

  async findReceived(scope: TaskScope, messageId: string): Promise<ReceivedMessage | undefined> {
    const values = [...scopeValues(scope), formatKey(messageId), this.receiptTtlMs];
    const [row] = await this.connection.runRepeatable<MessageRow>(FIND_MESSAGE, values);
    return row && toReceivedMessage(messageId, row);
  }

  async saveReply(scope: TaskScope, receipt: MessageReceipt, reply: Message): Promise<void> {
    const json = JSON.stringify(messageToJson(MessageSchema, reply));
    const values = [...scopeValues(scope), formatKey(receipt.messageId), receipt.digest, json, this.receiptTtlMs];
    const kept = await this.connection.runOnce(SAVE_REPLY, [...values, false]).catch((failure: unknown) => {
      if (!hasUnknownOutcome(failure)) throw failure;
      return this.connection.runRepeatable(SAVE_REPLY, [...values, true]);
    });
    if (kept.length === 0) throw new DuplicateMessage(receipt.messageId);
  }

  async keepAlive(runner: string, ttlMs: number): Promise<void> {
    await this.connection.runRepeatable(KEEP_ALIVE, [formatKey(runner), ttlMs]);
  }

  async findAbandoned(limit: number): Promise<AbandonedTask[]> {
    const rows = await this.connection.runRepeatable<ScopeKey & { id: string }>(FIND_ABANDONED, [limit]);
    return rows.map(({ agent, tenant, owner, id }) => ({
      scope: parseScope({ agent, tenant, owner }),
      taskId: parseKey(id),
    }));
  }

  findEnded(beforeMs: number, limit: number, after?: EndedTask): Promise<EndedTask[]> {
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
    return (await this.removal.findScopes(formatKey(owner))).map(parseScope);
  }
}

function scopeValues(scope: TaskScope): string[] {
  const { agent, tenant, owner } = formatScope(scope);
  return [agent, tenant, owner];
}
