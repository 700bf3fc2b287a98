import { messageToJson, type TaskChange, taskKey, type TaskScope, TaskSchema } from '@a2a/a2a-core';
import { formatKey, parseKey } from './key-text.js';

/** A scope as it is stored. */
export interface ScopeKey {
  readonly agent: string;
  readonly tenant: string;
  readonly owner: string;
}

/** A change as it is stored: text and numbers only, nothing shared with the caller. */
export interface EncodedChange extends ScopeKey {
  /** From `taskKey()`. */
  readonly key: string;
  readonly id: string;
  readonly contextId: string;
  readonly expectedVersion: number;
  readonly version: number;
  readonly state: number;
  readonly statusAtMs: number;
  readonly runner: string | null;
  readonly messageId: string | null;
  readonly digest: string | null;
  /** ProtoJSON of the events behind `expectedVersion`. */
  readonly events: readonly string[];
  readonly memos: readonly { readonly step: string; readonly value: string }[];
  readonly snapshot: string | null;
}

/** A scope as the columns of every key hold it. */
export function formatScope({ agentId, tenant, owner }: TaskScope): ScopeKey {
  return { agent: formatKey(agentId), tenant: formatKey(tenant), owner: formatKey(owner) };
}

/** The twin of `formatScope`. */
export function parseScope({ agent, tenant, owner }: ScopeKey): TaskScope {
  return { agentId: parseKey(agent), tenant: parseKey(tenant), owner: parseKey(owner) };
}

/** @throws {RangeError} when the versions of the events do not follow `expectedVersion` without holes */
export function encodeChange(scope: TaskScope, change: TaskChange, expectedVersion: number): EncodedChange {
  const { taskId, contextId, events, state, statusAtMs, runner, receipt, memos, snapshot } = change;
  const inOrder = events.length > 0 && events.every(({ version }, index) => version === expectedVersion + index + 1);
  if (!inOrder) throw new RangeError(`Events of task ${taskId} do not follow version ${expectedVersion}`);
  return {
    ...formatScope(scope),
    key: taskKey(scope, taskId),
    id: formatKey(taskId),
    contextId: formatKey(contextId),
    expectedVersion,
    version: expectedVersion + events.length,
    state,
    statusAtMs,
    runner: runner === undefined ? null : formatKey(runner),
    messageId: receipt ? formatKey(receipt.messageId) : null,
    digest: receipt?.digest ?? null,
    events: events.map(({ json }) => json),
    memos: [...(memos ?? [])].map(([step, value]) => ({ step: formatKey(step), value: JSON.stringify(value) })),
    snapshot: snapshot ? JSON.stringify(messageToJson(TaskSchema, snapshot)) : null,
  };
}
