import { ConcurrentModification, DuplicateMessage } from '@a2a/a2a-core';
import type Database from 'better-sqlite3';
import { type EncodedChange, type ScopeKey } from '../encoded-change.js';
import { parseKey } from '../key-text.js';

const SCOPE = 'agent = @agent AND tenant = @tenant AND owner = @owner';

/** The statements of a commit. To be called inside a transaction; checks everything before it writes anything. */
export class SqliteCommit {
  readonly #receivedAt: Database.Statement<[object], { received_at: number }>;
  readonly #create: Database.Statement<[object], { no: number }>;
  readonly #move: Database.Statement<[object], { no: number }>;
  readonly #receive: Database.Statement<[object]>;
  readonly #append: Database.Statement<[number, number, string]>;
  readonly #keepMemo: Database.Statement<[number, string, string]>;
  readonly #keepSnapshot: Database.Statement<[number, number, string]>;
  readonly #tally: Database.Statement<[object]>;

  constructor(
    database: Database.Database,
    private readonly receiptTtlMs: number,
  ) {
    this.#receivedAt = database.prepare(`SELECT received_at FROM a2a_message WHERE ${SCOPE} AND message_id = @messageId`);
    this.#create = database.prepare(
      `INSERT INTO a2a_task (key, agent, tenant, owner, id, context_id, state, version, status_at, runner, snapshot_version, created_at)
       VALUES (@key, @agent, @tenant, @owner, @id, @contextId, @state, @version, @statusAtMs, @runner, @snapshotVersion, @nowMs)
       ON CONFLICT DO NOTHING RETURNING no`,
    );
    this.#move = database.prepare(
      `UPDATE a2a_task SET state = @state, version = @version, status_at = @statusAtMs, runner = @runner,
         snapshot_version = max(snapshot_version, @snapshotVersion)
       WHERE key = @key AND version = @expectedVersion RETURNING no`,
    );
    this.#receive = database.prepare(
      `INSERT OR REPLACE INTO a2a_message (agent, tenant, owner, message_id, digest, task_id, reply, received_at)
       VALUES (@agent, @tenant, @owner, @messageId, @digest, @taskId, @reply, @nowMs)`,
    );
    this.#append = database.prepare('INSERT INTO a2a_event (task_no, version, payload) VALUES (?, ?, ?)');
    this.#keepMemo = database.prepare('INSERT OR REPLACE INTO a2a_memo (task_no, step, value) VALUES (?, ?, ?)');
    this.#keepSnapshot = database.prepare('INSERT OR REPLACE INTO a2a_snapshot (task_no, version, payload) VALUES (?, ?, ?)');
    this.#tally = database.prepare(
      `INSERT INTO a2a_owner_tally (agent, tenant, owner, tasks) VALUES (@agent, @tenant, @owner, 1)
       ON CONFLICT DO UPDATE SET tasks = tasks + 1`,
    );
  }

  /**
   * @throws {DuplicateMessage}
   * @throws {ConcurrentModification}
   */
  apply(change: EncodedChange): number {
    const { id, expectedVersion, version, messageId, digest, events, memos, snapshot } = change;
    if (messageId !== null) this.checkNew(change, messageId);
    const row = { ...change, snapshotVersion: snapshot === null ? 0 : version, nowMs: Date.now() };
    const moved = expectedVersion === 0 ? this.#create.get(row) : this.#move.get(row);
    if (!moved) throw new ConcurrentModification(parseKey(id), expectedVersion);

    events.forEach((payload, index) => this.#append.run(moved.no, expectedVersion + index + 1, payload));
    for (const { step, value } of memos) this.#keepMemo.run(moved.no, step, value);
    if (snapshot !== null) this.#keepSnapshot.run(moved.no, version, snapshot);
    if (messageId !== null) this.receive(change, messageId, digest ?? '', { taskId: id });
    if (expectedVersion === 0) this.#tally.run(change);
    return version;
  }

  /** @throws {DuplicateMessage} */
  checkNew(scope: ScopeKey, messageId: string): void {
    const present = this.#receivedAt.get({ ...scope, messageId });
    if (present && present.received_at > Date.now() - this.receiptTtlMs) throw new DuplicateMessage(parseKey(messageId));
  }

  receive(scope: ScopeKey, messageId: string, digest: string, became: { taskId?: string; reply?: string }): void {
    const { taskId = null, reply = null } = became;
    this.#receive.run({ ...scope, messageId, digest, taskId, reply, nowMs: Date.now() });
  }
}
