import { taskKey, type TaskScope } from '../../tasks/task-scope.js';
import {
  type DeadLetter,
  type DisabledReason,
  type PushConfigDraft,
  type PushPage,
  type PushRef,
  type PushStatus,
} from './push-config.repository.js';

/** One webhook as it is kept. */
export interface ShelvedPushConfig {
  /** In order of registration, from 1. Pages go by it. */
  readonly no: number;
  readonly ref: PushRef;
  config: PushConfigDraft;
  cursor: number;
  attempts: number;
  status: PushStatus;
  reason?: DisabledReason;
  /** End of a lease or of a wait; undefined while parked. */
  dueAtMs?: number;
  holder?: string;
  letters: DeadLetter[];
}

/** All webhooks of one process: found by task, and the active ones by owner. */
export class PushConfigShelf {
  /** By task, then by config id. */
  readonly #tasks = new Map<string, Map<string, ShelvedPushConfig>>();
  /** The active ones, by owner: of many configs few are. */
  readonly #active = new Map<string, Set<ShelvedPushConfig>>();
  #rows = 0;

  find({ scope, taskId, configId }: PushRef): ShelvedPushConfig | undefined {
    return this.#tasks.get(taskKey(scope, taskId))?.get(configId);
  }

  /** In no particular order. */
  ofTask(scope: TaskScope, taskId: string): ShelvedPushConfig[] {
    return [...(this.#tasks.get(taskKey(scope, taskId))?.values() ?? [])];
  }

  countOfTask(scope: TaskScope, taskId: string): number {
    return this.#tasks.get(taskKey(scope, taskId))?.size ?? 0;
  }

  all(): ShelvedPushConfig[] {
    return [...this.#tasks.values()].flatMap((configs) => [...configs.values()]);
  }

  active(): ShelvedPushConfig[] {
    return [...this.#active.values()].flatMap((rows) => [...rows]);
  }

  countActive(scope: TaskScope): number {
    return this.#active.get(ownerKey(scope))?.size ?? 0;
  }

  /** Begins a row where its config says. The task has none of this id. */
  add(ref: PushRef, config: PushConfigDraft): void {
    const status = config.isFinished ? 'finished' : 'active';
    const row: ShelvedPushConfig = { no: ++this.#rows, ref, config, cursor: config.cursor, attempts: 0, status, letters: [] };
    const key = taskKey(ref.scope, ref.taskId);
    const configs = this.#tasks.get(key) ?? new Map<string, ShelvedPushConfig>();
    this.#tasks.set(key, configs.set(ref.configId, row));
    this.change(row, {});
  }

  /** The only way to another status. */
  change(row: ShelvedPushConfig, change: Partial<ShelvedPushConfig>): void {
    Object.assign(row, change);
    const key = ownerKey(row.ref.scope);
    const active = this.#active.get(key) ?? new Set();
    if (row.status === 'active') active.add(row);
    else active.delete(row);
    if (active.size > 0) this.#active.set(key, active);
    else this.#active.delete(key);
  }

  remove(row: ShelvedPushConfig): void {
    const { scope, taskId, configId } = row.ref;
    const key = taskKey(scope, taskId);
    const configs = this.#tasks.get(key);
    this.change(row, { status: 'finished' });
    configs?.delete(configId);
    if (configs?.size === 0) this.#tasks.delete(key);
  }
}

/** Some rows behind number `after`, in order of registration. */
export function pageOf(
  rows: readonly ShelvedPushConfig[],
  after: number,
  limit: number,
  matches: (row: ShelvedPushConfig) => boolean,
): PushPage<ShelvedPushConfig> {
  const found = rows.filter((row) => row.no > after && matches(row));
  const items = found.toSorted((a, b) => a.no - b.no).slice(0, limit);
  return { items, next: found.length > limit ? items.at(-1)?.no : undefined };
}

function ownerKey({ agentId, tenant, owner }: TaskScope): string {
  return JSON.stringify([agentId, tenant, owner]);
}
