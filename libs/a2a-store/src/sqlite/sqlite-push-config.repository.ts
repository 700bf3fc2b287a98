import {
  type DeadLetter,
  type PushClaim,
  type PushConfigDraft,
  type PushConfigLimits,
  PushConfigRepository,
  type PushPage,
  type PushRef,
  type PushReleased,
  type PushRest,
  type PushSaved,
  type StoredPushConfig,
  taskKey,
  type TaskScope,
  type TroubledPush,
} from '@a2a/a2a-core';
import type Database from 'better-sqlite3';
import { formatKey } from '../key-text.js';
import { formatOwner, formatPlace, formatRest, type PushRefRow, type PushRow, toClaim, toPushRef, toStoredPush } from '../push-rows.js';
import { SqlitePushLetters } from './sqlite-push.letters.js';
import { type WriteQueue } from './write-queue.js';

const PLACE = 'task_no = (SELECT no FROM a2a_task WHERE key = @key) AND config_id = @configId';
const HELD = `${PLACE} AND holder = @holder`;
const REF = 'p.no, p.config_id, t.agent, t.tenant, t.owner, t.id';
const JOINED = 'a2a_push p JOIN a2a_task t ON t.no = p.task_no';

interface Present {
  readonly task_no: number;
  readonly of_task: number;
  readonly of_owner: number;
  readonly no: number | null;
  readonly status: number | null;
}

/** Webhooks in a SQLite file. Since no other process can have it open, the claims of an earlier one are over when this is made. */
export class SqlitePushConfigRepository extends PushConfigRepository {
  readonly #letters: SqlitePushLetters;
  readonly #present: Database.Statement<[object], Present>;
  readonly #add: Database.Statement<[object]>;
  readonly #replace: Database.Statement<[object], { no: number; cursor: number }>;
  readonly #find: Database.Statement<[object], PushRow & { no: number }>;
  readonly #list: Database.Statement<[object], PushRow>;
  readonly #delete: Database.Statement<[object]>;
  readonly #count: Database.Statement<[string], { active: number }>;
  readonly #claim: Database.Statement<[object], PushRow>;
  readonly #held: Database.Statement<[object], { no: number }>;
  readonly #extend: Database.Statement<[object]>;
  readonly #advance: Database.Statement<[object], { no: number }>;
  readonly #park: Database.Statement<[object]>;
  readonly #release: Database.Statement<[object], { no: number }>;
  readonly #due: Database.Statement<[number, number], PushRefRow>;
  readonly #parked: Database.Statement<[number, number], PushRefRow & { behind: number }>;
  readonly #active: Database.Statement<[string], PushRefRow>;
  readonly #troubled: Database.Statement<[object], PushRefRow & PushRow>;
  readonly #rewind: Database.Statement<[object]>;

  constructor(
    database: Database.Database,
    private readonly queue: WriteQueue,
  ) {
    super();
    database.exec('UPDATE a2a_push SET holder = NULL, due_at = 0 WHERE status = 0 AND due_at IS NOT NULL AND holder IS NOT NULL');
    this.#letters = new SqlitePushLetters(database);
    this.#present = database.prepare(
      `SELECT t.no AS task_no, (SELECT count(*) FROM a2a_push WHERE task_no = t.no) AS of_task,
         (SELECT count(*) FROM a2a_push WHERE owner_key = @ownerKey AND status = 0) AS of_owner, p.no, p.status
       FROM a2a_task t LEFT JOIN a2a_push p ON p.task_no = t.no AND p.config_id = @configId WHERE t.key = @key`,
    );
    this.#add = database.prepare(
      `INSERT INTO a2a_push (task_no, owner_key, config_id, url, scheme, secrets, extensions, cursor, attempts, status)
       VALUES (@taskNo, @ownerKey, @configId, @url, @scheme, @secrets, @extensions, @cursor, 0, @status)`,
    );
    this.#replace = database.prepare(
      `UPDATE a2a_push SET url = @url, scheme = @scheme, secrets = @secrets, extensions = @extensions, attempts = 0, reason = NULL,
         status = CASE status WHEN 1 THEN 1 ELSE 0 END, due_at = NULL, holder = NULL
       WHERE no = @no RETURNING no, cursor`,
    );
    this.#find = database.prepare(`SELECT * FROM a2a_push WHERE ${PLACE}`);
    this.#list = database.prepare(
      `SELECT * FROM a2a_push WHERE task_no = (SELECT no FROM a2a_task WHERE key = @key) AND config_id > @after
       ORDER BY config_id LIMIT @limit`,
    );
    this.#delete = database.prepare(`DELETE FROM a2a_push WHERE ${PLACE}`);
    this.#count = database.prepare('SELECT count(*) AS active FROM a2a_push WHERE owner_key = ? AND status = 0');
    this.#claim = database.prepare(
      `UPDATE a2a_push SET holder = @holder, due_at = @now + @leaseMs
       WHERE ${PLACE} AND status = 0 AND (due_at IS NULL OR due_at <= @now) RETURNING *`,
    );
    this.#held = database.prepare(`SELECT no FROM a2a_push WHERE ${HELD}`);
    this.#extend = database.prepare(`UPDATE a2a_push SET due_at = @dueAtMs WHERE ${HELD}`);
    this.#advance = database.prepare(`UPDATE a2a_push SET cursor = @cursor, attempts = 0, due_at = @dueAtMs WHERE ${HELD} RETURNING no`);
    this.#park = database.prepare(
      `UPDATE a2a_push SET cursor = @cursor, attempts = 0, due_at = NULL, holder = NULL
       WHERE ${HELD} AND (SELECT version FROM a2a_task WHERE key = @key) <= @cursor`,
    );
    this.#release = database.prepare(
      `UPDATE a2a_push SET cursor = @cursor, attempts = @attempts, status = @status, reason = @reason, due_at = @dueAtMs, holder = NULL
       WHERE ${HELD} RETURNING no`,
    );
    this.#due = database.prepare(`SELECT ${REF} FROM ${JOINED} WHERE p.status = 0 AND p.due_at <= ? ORDER BY p.due_at LIMIT ?`);
    this.#parked = database.prepare(
      `SELECT ${REF}, t.version > p.cursor AS behind
       FROM (SELECT * FROM a2a_push WHERE status = 0 AND due_at IS NULL AND no > ? ORDER BY no LIMIT ?) p
       JOIN a2a_task t ON t.no = p.task_no ORDER BY p.no`,
    );
    this.#active = database.prepare(`SELECT ${REF} FROM ${JOINED} WHERE t.key = ? AND p.status = 0`);
    this.#troubled = database.prepare(
      `SELECT ${REF}, p.url, p.scheme, p.secrets, p.extensions, p.cursor, p.attempts, p.status, p.reason
       FROM (SELECT no FROM a2a_push WHERE (status = 2 OR attempts > 0) AND no > @after
             UNION SELECT push_no FROM a2a_push_letter WHERE push_no > @after ORDER BY no LIMIT @limit) found
       JOIN a2a_push p ON p.no = found.no JOIN a2a_task t ON t.no = p.task_no ORDER BY p.no`,
    );
    this.#rewind = database.prepare(
      'UPDATE a2a_push SET cursor = @cursor, attempts = 0, status = 0, reason = NULL, due_at = @now, holder = NULL WHERE no = @no',
    );
  }

  async save(scope: TaskScope, draft: PushConfigDraft, { perTask, perOwner }: PushConfigLimits): Promise<PushSaved> {
    const { taskId, configId, url, secrets, cursor, isFinished } = draft;
    const place = { ...formatPlace({ scope, taskId, configId }), ownerKey: formatOwner(scope) };
    const row = { ...place, url, secrets, scheme: draft.scheme ?? null, extensions: JSON.stringify(draft.extensions), cursor };
    return this.queue.run((): PushSaved => {
      const present = this.#present.get(place);
      if (!present) return 'no such task';
      if (present.no === null && present.of_task >= perTask) return 'too many for the task';
      if (present.status !== 0 && !isFinished && present.of_owner >= perOwner) return 'too many for the owner';
      const replaced = present.no === null ? undefined : this.#replace.get({ ...row, no: present.no });
      if (replaced) this.#letters.deleteBehind(replaced.no, replaced.cursor);
      else this.#add.run({ ...row, taskNo: present.task_no, status: isFinished ? 1 : 0 });
      return 'saved';
    });
  }

  async find(scope: TaskScope, taskId: string, configId: string): Promise<StoredPushConfig | undefined> {
    const row = this.#find.get(formatPlace({ scope, taskId, configId }));
    return row && toStoredPush(taskId, row);
  }

  async list(scope: TaskScope, taskId: string, after: string | undefined, limit: number): Promise<StoredPushConfig[]> {
    const rows = this.#list.all({ key: taskKey(scope, taskId), after: after === undefined ? '' : formatKey(after), limit });
    return rows.map((row) => toStoredPush(taskId, row));
  }

  async delete(scope: TaskScope, taskId: string, configId: string): Promise<void> {
    await this.queue.run(() => this.#delete.run(formatPlace({ scope, taskId, configId })));
  }

  async countActive(scope: TaskScope): Promise<number> {
    return this.#count.get(formatOwner(scope))?.active ?? 0;
  }

  async claim(ref: PushRef, holder: string, leaseMs: number): Promise<PushClaim | undefined> {
    const row = await this.queue.run(() => this.#claim.get({ ...formatPlace(ref), holder, leaseMs, now: Date.now() }));
    return row && toClaim(ref, holder, row);
  }

  async renew(claims: readonly PushClaim[], leaseMs: number): Promise<ReadonlySet<string>> {
    const held = await this.queue.run(() => claims.filter((claim) => this.#extend.run(extended(claim, leaseMs)).changes > 0));
    return new Set(held.map(({ holder }) => holder));
  }

  async advance(claim: PushClaim, cursor: number, leaseMs: number, letter?: DeadLetter): Promise<boolean> {
    return this.queue.run(() => {
      const row = this.#advance.get({ ...extended(claim, leaseMs), cursor });
      if (row && letter) this.#letters.add(row.no, letter);
      return row !== undefined;
    });
  }

  async release(claim: PushClaim, cursor: number, rest: PushRest, letter?: DeadLetter): Promise<PushReleased> {
    const place = { ...formatPlace(claim.ref), holder: claim.holder, cursor };
    const { delayMs, ...row } = formatRest(rest);
    return this.queue.run((): PushReleased => {
      if (rest.kind === 'parked') {
        if (this.#park.run(place).changes > 0) return 'released';
        return this.#held.get(place) ? 'behind' : 'lost';
      }
      const released = this.#release.get({ ...place, ...row, dueAtMs: delayMs === null ? null : Date.now() + delayMs });
      if (released && letter) this.#letters.add(released.no, letter);
      return released ? 'released' : 'lost';
    });
  }

  async findDue(limit: number): Promise<PushRef[]> {
    return this.#due.all(Date.now(), limit).map(toPushRef);
  }

  async findBehind(after: number, limit: number): Promise<PushPage<PushRef>> {
    const rows = this.#parked.all(after, limit);
    const behind = rows.filter((row) => row.behind === 1);
    return { items: behind.map(toPushRef), next: rows.length === limit ? rows.at(-1)?.no : undefined };
  }

  async findActive(tasks: readonly Omit<PushRef, 'configId'>[]): Promise<PushRef[]> {
    return tasks.flatMap(({ scope, taskId }) => this.#active.all(taskKey(scope, taskId)).map(toPushRef));
  }

  async findTroubled(after: number, limit: number): Promise<PushPage<TroubledPush>> {
    const rows = this.#troubled.all({ after, limit });
    const items = rows.map((row): TroubledPush => {
      const ref = toPushRef(row);
      return { ref, config: toStoredPush(ref.taskId, row), deadLetters: this.#letters.of(row.no) };
    });
    return { items, next: rows.length === limit ? rows.at(-1)?.no : undefined };
  }

  async rewind(ref: PushRef, cursor?: number): Promise<boolean> {
    return this.queue.run(() => {
      const row = this.#find.get(formatPlace(ref));
      if (!row) return false;
      const goal = Math.max(0, Math.min(row.cursor, cursor ?? (this.#letters.of(row.no)[0]?.version ?? Infinity) - 1));
      if (row.status === 1 && goal === row.cursor) return true;
      this.#rewind.run({ no: row.no, cursor: goal, now: Date.now() });
      this.#letters.deleteBehind(row.no, goal);
      return true;
    });
  }

  async forgetLetters(ref: PushRef): Promise<number> {
    return this.queue.run(() => {
      const row = this.#find.get(formatPlace(ref));
      return row ? this.#letters.deleteBehind(row.no, 0) : 0;
    });
  }
}

function extended({ ref, holder }: PushClaim, leaseMs: number) {
  return { ...formatPlace(ref), holder, dueAtMs: Date.now() + leaseMs };
}
