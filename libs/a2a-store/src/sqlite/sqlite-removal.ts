import { type EndedTask } from '@a2a/a2a-core';
import type Database from 'better-sqlite3';
import { type ScopeKey } from '../encoded-change.js';
import { type EndedRow, toEndedTask } from '../rows.js';
import { type PlaceRow, scopesOfOwner } from '../scopes-of-owner.js';
import { type WriteQueue } from './write-queue.js';

/** Rows of one transaction, so that commits in between wait for a few milliseconds only. */
const AT_ONCE = 1_000;

const SCOPE = 'agent = @agent AND tenant = @tenant AND owner = @owner';
const RECEIPT = `DELETE FROM a2a_message WHERE ${SCOPE}`;

/**
 * Takes tasks and receipts out of a SQLite file.
 *
 * A task is gone with its row. Its number goes into a2a_deleted_task until its events, snapshot and memos are gone too, so that a process
 * that dies in between leaves nothing for good.
 */
export class SqliteRemoval {
  readonly #ended: Database.Statement<[object], EndedRow>;
  readonly #task: Database.Statement<[string], { no: number }>;
  readonly #note: Database.Statement<[number]>;
  readonly #noted: Database.Statement<[number], { no: number }>;
  readonly #untally: Database.Statement<[object]>;
  readonly #emptyTally: Database.Statement<[object]>;
  readonly #events: Database.Statement<[number, number]>;
  readonly #rest: readonly Database.Statement<[number]>[];
  readonly #receipt: Database.Statement<[object]>;
  readonly #anyReceipts: Database.Statement<[object]>;
  readonly #scopes: readonly Database.Statement<[string], PlaceRow>[];

  constructor(
    database: Database.Database,
    private readonly queue: WriteQueue,
  ) {
    this.#ended = database.prepare(
      `SELECT agent, tenant, owner, id, no, status_at FROM a2a_task INDEXED BY a2a_task_ended
       WHERE state IN (3, 4, 5, 7) AND status_at < @beforeMs AND (status_at, no) > (@endedAtMs, @place) ORDER BY status_at, no LIMIT @limit`,
    );
    this.#task = database.prepare('DELETE FROM a2a_task WHERE key = ? RETURNING no');
    this.#note = database.prepare('INSERT INTO a2a_deleted_task (no) VALUES (?)');
    this.#noted = database.prepare('SELECT no FROM a2a_deleted_task LIMIT ?');
    this.#untally = database.prepare(`UPDATE a2a_owner_tally SET tasks = tasks - @deleted WHERE ${SCOPE}`);
    this.#emptyTally = database.prepare(`DELETE FROM a2a_owner_tally WHERE ${SCOPE} AND tasks <= 0`);
    this.#events = database.prepare('DELETE FROM a2a_event WHERE rowid IN (SELECT rowid FROM a2a_event WHERE task_no = ? LIMIT ?)');
    this.#rest = [
      'DELETE FROM a2a_snapshot WHERE task_no = ?',
      'DELETE FROM a2a_memo WHERE task_no = ?',
      'DELETE FROM a2a_deleted_task WHERE no = ?',
    ].map((sql) => database.prepare<[number]>(sql));
    this.#receipt = database.prepare(`${RECEIPT} AND message_id = @messageId`);
    this.#anyReceipts = database.prepare(
      `DELETE FROM a2a_message WHERE rowid IN (SELECT rowid FROM a2a_message WHERE ${SCOPE} LIMIT @limit)`,
    );
    this.#scopes = ['a2a_owner_tally', 'a2a_message'].map((table) => database.prepare(scopesOfOwner(table, '?')));
  }

  findEnded(beforeMs: number, limit: number, after?: EndedTask): EndedTask[] {
    const { endedAtMs = Number.MIN_SAFE_INTEGER, place = 0 } = after ?? {};
    return this.#ended.all({ beforeMs, limit, endedAtMs, place }).map(toEndedTask);
  }

  async deleteTasks(scope: ScopeKey, keys: readonly string[]): Promise<number> {
    const numbers = await this.queue.run(() => {
      const deleted = keys.flatMap((key) => this.#task.all(key).map(({ no }) => no));
      for (const no of deleted) this.#note.run(no);
      this.#untally.run({ ...scope, deleted: deleted.length });
      this.#emptyTally.run(scope);
      return deleted;
    });
    for (let left: readonly number[] = numbers; left.length > 0;) {
      const now = left;
      left = await this.queue.run(() => this.#erase(now, AT_ONCE).left);
    }
    return numbers.length;
  }

  /** Goes on with what an earlier process left. @returns how many rows, at most `limit` */
  async finish(limit: number): Promise<number> {
    return this.queue.run(
      () =>
        this.#erase(
          this.#noted.all(limit).map(({ no }) => no),
          limit,
        ).rows,
    );
  }

  async deleteReceipts(scope: ScopeKey, limit: number, messageIds?: readonly string[]): Promise<number> {
    if (!messageIds) return this.queue.run(() => this.#anyReceipts.run({ ...scope, limit }).changes);
    return this.queue.run(() => {
      let deleted = 0;
      for (const messageId of messageIds) if (deleted < limit) deleted += this.#receipt.run({ ...scope, messageId }).changes;
      return deleted;
    });
  }

  findScopes(owner: string): ScopeKey[] {
    const found = this.#scopes.flatMap((statement) => statement.all(owner));
    return [...new Map(found.map(({ agent, tenant }) => [JSON.stringify([agent, tenant]), { agent, tenant, owner }])).values()];
  }

  /** Removes at most `limit` rows. @returns how many, and the tasks of which something may be left */
  #erase(numbers: readonly number[], limit: number): { readonly rows: number; readonly left: readonly number[] } {
    let rows = 0;
    for (const [index, no] of numbers.entries()) {
      rows += this.#events.run(no, limit - rows).changes;
      if (rows === limit) return { rows, left: numbers.slice(index) };
      for (const statement of this.#rest) statement.run(no);
      rows++;
    }
    return { rows, left: [] };
  }
}
