import {
  type DeadLetter,
  type DisabledReason,
  type PushClaim,
  type PushRef,
  type PushRest,
  type PushStatus,
  type StoredPushConfig,
  taskKey,
  type TaskScope,
} from '@a2a/a2a-core';
import { formatScope, type ScopeKey } from './encoded-change.js';
import { formatKey, parseKey } from './key-text.js';

/** In the order of their numbers in the table. */
const STATUSES: readonly PushStatus[] = ['active', 'finished', 'disabled'];

/** The columns that say which webhook a row is. */
export interface PushRefRow extends ScopeKey {
  readonly no: number;
  /** Of the task. */
  readonly id: string;
  readonly config_id: string;
}

/** The columns of a2a_push that leave the store. */
export interface PushRow {
  readonly config_id: string;
  readonly url: string;
  readonly scheme: string | null;
  readonly secrets: string;
  readonly extensions: string;
  readonly cursor: number;
  readonly attempts: number;
  readonly status: number;
  readonly reason: string | null;
}

export interface LetterRow {
  readonly push_no: number;
  readonly version: number;
  readonly reason: string;
  readonly attempts: number;
  readonly at: number;
}

/** What names a webhook in the store. */
export interface PushPlace {
  /** From `taskKey()`. */
  readonly key: string;
  readonly configId: string;
}

export function formatPlace({ scope, taskId, configId }: PushRef): PushPlace {
  return { key: taskKey(scope, taskId), configId: formatKey(configId) };
}

/** One text for the three members of a scope. */
export function formatOwner(scope: TaskScope): string {
  const { agent, tenant, owner } = formatScope(scope);
  return JSON.stringify([agent, tenant, owner]);
}

export function toPushRef({ agent, tenant, owner, id, config_id }: PushRefRow): PushRef {
  const scope = { agentId: parseKey(agent), tenant: parseKey(tenant), owner: parseKey(owner) };
  return { scope, taskId: parseKey(id), configId: parseKey(config_id) };
}

export function toStoredPush(taskId: string, row: PushRow): StoredPushConfig {
  return {
    taskId,
    configId: parseKey(row.config_id),
    url: row.url,
    scheme: row.scheme ?? undefined,
    secrets: row.secrets,
    extensions: JSON.parse(row.extensions) as string[],
    status: STATUSES[row.status] ?? 'disabled',
    reason: (row.reason ?? undefined) as DisabledReason | undefined,
    attempts: row.attempts,
    cursor: row.cursor,
  };
}

export function toClaim(ref: PushRef, holder: string, row: PushRow): PushClaim {
  const config = toStoredPush(ref.taskId, row);
  return { ref, holder, config, cursor: row.cursor, attempts: row.attempts };
}

export function toDeadLetter({ version, reason, attempts, at }: LetterRow): DeadLetter {
  return { version, reason, attempts, atMs: at };
}

/** What a row is after its claim has ended. */
export interface RestRow {
  readonly status: number;
  readonly attempts: number;
  readonly reason: string | null;
  /** Milliseconds from now until the row is due; null for never. */
  readonly delayMs: number | null;
}

export function formatRest(rest: PushRest): RestRow {
  switch (rest.kind) {
    case 'parked':
      return { status: STATUSES.indexOf('active'), attempts: 0, reason: null, delayMs: null };
    case 'retry':
      return { status: STATUSES.indexOf('active'), attempts: rest.attempts, reason: null, delayMs: rest.delayMs };
    case 'finished':
      return { status: STATUSES.indexOf('finished'), attempts: 0, reason: null, delayMs: null };
    case 'disabled':
      return { status: STATUSES.indexOf('disabled'), attempts: 0, reason: rest.reason, delayMs: null };
  }
}
