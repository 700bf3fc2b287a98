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
import { formatKey } from '../key-text.js';
import {
  formatOwner,
  formatPlace,
  formatRest,
  type LetterRow,
  type PushRefRow,
  type PushRow,
  toClaim,
  toDeadLetter,
  toPushRef,
  toStoredPush,
} from '../push-rows.js';
import { type PostgresConnection } from './postgres.connection.js';
import {
  ADVANCE_PUSH,
  CLAIM_PUSH,
  COUNT_ACTIVE_PUSHES,
  DELETE_PUSH,
  FIND_ACTIVE_PUSHES,
  FIND_BEHIND_PUSHES,
  FIND_DUE_PUSHES,
  FIND_PUSH,
  FIND_PUSH_LETTERS,
  FIND_TROUBLED_PUSHES,
  FORGET_PUSH_LETTERS,
  LIST_PUSHES,
  PARK_PUSH,
  RELEASE_PUSH,
  RENEW_PUSHES,
  REWIND_PUSH,
  SAVE_PUSH,
} from './push-statements.js';

/** Webhooks in PostgreSQL, for any number of processes. Leases and delays run by the server's clock. */
export class PostgresPushConfigRepository extends PushConfigRepository {
  constructor(private readonly connection: PostgresConnection) {
    super();
  }

  async save(scope: TaskScope, draft: PushConfigDraft, { perTask, perOwner }: PushConfigLimits): Promise<PushSaved> {
    const { url, scheme = null, secrets, extensions, cursor, isFinished } = draft;
    const values = [...placeOf({ scope, ...draft }), formatOwner(scope), url, scheme, secrets, JSON.stringify(extensions), cursor];
    const [row] = await this.connection.runRepeatable<{ verdict: PushSaved }>(SAVE_PUSH, [
      ...values,
      isFinished ? 1 : 0,
      perTask,
      perOwner,
    ]);
    return row?.verdict ?? 'no such task';
  }

  async find(scope: TaskScope, taskId: string, configId: string): Promise<StoredPushConfig | undefined> {
    const [row] = await this.connection.runRepeatable<PushRow>(FIND_PUSH, placeOf({ scope, taskId, configId }));
    return row && toStoredPush(taskId, row);
  }

  async list(scope: TaskScope, taskId: string, after: string | undefined, limit: number): Promise<StoredPushConfig[]> {
    const values = [taskKey(scope, taskId), after === undefined ? '' : formatKey(after), limit];
    const rows = await this.connection.runRepeatable<PushRow>(LIST_PUSHES, values);
    return rows.map((row) => toStoredPush(taskId, row));
  }

  async delete(scope: TaskScope, taskId: string, configId: string): Promise<void> {
    await this.connection.runRepeatable(DELETE_PUSH, placeOf({ scope, taskId, configId }));
  }

  async countActive(scope: TaskScope): Promise<number> {
    const [row] = await this.connection.runRepeatable<{ active: number }>(COUNT_ACTIVE_PUSHES, [formatOwner(scope)]);
    return row?.active ?? 0;
  }

  async claim(ref: PushRef, holder: string, leaseMs: number): Promise<PushClaim | undefined> {
    const [row] = await this.connection.runRepeatable<PushRow>(CLAIM_PUSH, [...placeOf(ref), holder, leaseMs]);
    return row && toClaim(ref, holder, row);
  }

  async renew(claims: readonly PushClaim[], leaseMs: number): Promise<ReadonlySet<string>> {
    const places = claims.map(({ ref }) => formatPlace(ref));
    const [keys, ids] = [places.map(({ key }) => key), places.map(({ configId }) => configId)];
    const holders = claims.map(({ holder }) => holder);
    const rows = await this.connection.runRepeatable<{ holder: string }>(RENEW_PUSHES, [keys, ids, holders, leaseMs]);
    return new Set(rows.map(({ holder }) => holder));
  }

  async advance(claim: PushClaim, cursor: number, leaseMs: number, letter?: DeadLetter): Promise<boolean> {
    const values = [...placeOf(claim.ref), claim.holder, cursor, leaseMs, ...letterValues(letter)];
    return (await this.connection.runRepeatable(ADVANCE_PUSH, values)).length > 0;
  }

  async release(claim: PushClaim, cursor: number, rest: PushRest, letter?: DeadLetter): Promise<PushReleased> {
    const place = [...placeOf(claim.ref), claim.holder, cursor];
    if (rest.kind === 'parked') {
      const [row] = await this.connection.runRepeatable<{ outcome: PushReleased }>(PARK_PUSH, place);
      return row?.outcome ?? 'lost';
    }
    const { attempts, status, reason, delayMs } = formatRest(rest);
    const rows = await this.connection.runRepeatable(RELEASE_PUSH, [...place, attempts, status, reason, delayMs, ...letterValues(letter)]);
    return rows.length > 0 ? 'released' : 'lost';
  }

  async findDue(limit: number): Promise<PushRef[]> {
    return (await this.connection.runRepeatable<PushRefRow>(FIND_DUE_PUSHES, [limit])).map(toPushRef);
  }

  async findBehind(after: number, limit: number): Promise<PushPage<PushRef>> {
    const rows = await this.connection.runRepeatable<PushRefRow & { size: number | null }>(FIND_BEHIND_PUSHES, [after, limit]);
    const page = rows.find(({ size }) => size !== null);
    const behind = rows.filter(({ size }) => size === null);
    return { items: behind.map(toPushRef), next: page?.size === limit ? page.no : undefined };
  }

  async findActive(tasks: readonly Omit<PushRef, 'configId'>[]): Promise<PushRef[]> {
    const keys = tasks.map(({ scope, taskId }) => taskKey(scope, taskId));
    return (await this.connection.runRepeatable<PushRefRow>(FIND_ACTIVE_PUSHES, [keys])).map(toPushRef);
  }

  async findTroubled(after: number, limit: number): Promise<PushPage<TroubledPush>> {
    const rows = await this.connection.runRepeatable<PushRefRow & PushRow>(FIND_TROUBLED_PUSHES, [after, limit]);
    const letters = await this.connection.runRepeatable<LetterRow>(FIND_PUSH_LETTERS, [rows.map(({ no }) => no)]);
    const items = rows.map((row): TroubledPush => {
      const ref = toPushRef(row);
      const deadLetters = letters.filter(({ push_no }) => push_no === row.no).map(toDeadLetter);
      return { ref, config: toStoredPush(ref.taskId, row), deadLetters };
    });
    return { items, next: rows.length === limit ? rows.at(-1)?.no : undefined };
  }

  async rewind(ref: PushRef, cursor?: number): Promise<boolean> {
    return (await this.connection.runRepeatable(REWIND_PUSH, [...placeOf(ref), cursor ?? null])).length > 0;
  }

  async forgetLetters(ref: PushRef): Promise<number> {
    return (await this.connection.runRepeatable(FORGET_PUSH_LETTERS, placeOf(ref))).length;
  }
}

function placeOf(ref: PushRef): [key: string, configId: string] {
  const { key, configId } = formatPlace(ref);
  return [key, configId];
}

function letterValues(letter: DeadLetter | undefined): (string | number | null)[] {
  return letter ? [letter.version, letter.reason, letter.attempts, letter.atMs] : [null, null, null, null];
}
