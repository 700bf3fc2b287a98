import { Clock, SystemClock } from '../clock.js';
import { type TaskRepository } from '../tasks/task-repository.js';
import { taskKey, type TaskScope } from '../tasks/task-scope.js';
import {
  type DeadLetter,
  type DisabledReason,
  type PushClaim,
  type PushConfigDraft,
  type PushConfigLimits,
  PushConfigRepository,
  type PushPage,
  type PushRef,
  type PushReleased,
  type PushRest,
  type PushSaved,
  type PushStatus,
  type StoredPushConfig,
  type TroubledPush,
} from './push-config.repository.js';

interface Row {
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

/**
 * Keeps webhooks in this process, for tests and for hosts that may forget.
 *
 * Once a call has asked for the task, if it has to, it does its work in one go, so calls never interleave.
 */
export class InMemoryPushConfigRepository extends PushConfigRepository {
  /** By task, then by config id. */
  readonly #tasks = new Map<string, Map<string, Row>>();
  /** The active ones, by owner: of many configs few are. */
  readonly #active = new Map<string, Set<Row>>();
  #rows = 0;

  constructor(
    private readonly tasks: TaskRepository,
    private readonly clock: Clock = new SystemClock(),
  ) {
    super();
  }

  async save(scope: TaskScope, draft: PushConfigDraft, { perTask, perOwner }: PushConfigLimits): Promise<PushSaved> {
    const ref: PushRef = { scope: { ...scope }, taskId: draft.taskId, configId: draft.configId };
    const config = structuredClone(draft);
    if ((await this.#versionOf(ref)) === 0) return 'no such task';
    const key = taskKey(scope, ref.taskId);
    const configs = this.#tasks.get(key) ?? new Map<string, Row>();
    const present = configs.get(ref.configId);
    if (!present && configs.size >= perTask) return 'too many for the task';
    if (present?.status !== 'active' && !config.isFinished && this.#countActive(scope) >= perOwner) return 'too many for the owner';
    if (present) {
      this.#change(present, { config, ...restarted(present), status: present.status === 'finished' ? 'finished' : 'active' });
      return 'saved';
    }
    const status = config.isFinished ? 'finished' : 'active';
    const row: Row = { no: ++this.#rows, ref, config, cursor: config.cursor, attempts: 0, status, letters: [] };
    this.#tasks.set(key, configs.set(ref.configId, row));
    this.#change(row, {});
    return 'saved';
  }

  async find(scope: TaskScope, taskId: string, configId: string): Promise<StoredPushConfig | undefined> {
    const row = this.#row({ scope, taskId, configId });
    return row && toStored(row);
  }

  async list(scope: TaskScope, taskId: string, after: string | undefined, limit: number): Promise<StoredPushConfig[]> {
    const rows = [...(this.#tasks.get(taskKey(scope, taskId))?.values() ?? [])];
    const behind = rows.filter(({ ref }) => after === undefined || ref.configId > after);
    const inOrder = behind.toSorted((a, b) => (a.ref.configId < b.ref.configId ? -1 : 1));
    return inOrder.slice(0, limit).map(toStored);
  }

  async delete(scope: TaskScope, taskId: string, configId: string): Promise<void> {
    const key = taskKey(scope, taskId);
    const configs = this.#tasks.get(key);
    const row = configs?.get(configId);
    if (!configs || !row) return;
    this.#change(row, { status: 'finished' });
    configs.delete(configId);
    if (configs.size === 0) this.#tasks.delete(key);
  }

  async countActive(scope: TaskScope): Promise<number> {
    return this.#countActive(scope);
  }

  async claim(ref: PushRef, holder: string, leaseMs: number): Promise<PushClaim | undefined> {
    const row = this.#row(ref);
    const now = this.clock.now();
    if (!row || row.status !== 'active' || (row.dueAtMs ?? 0) > now) return undefined;
    Object.assign(row, { holder, dueAtMs: now + leaseMs });
    return { ref: row.ref, holder, config: toStored(row), cursor: row.cursor, attempts: row.attempts };
  }

  async renew(claims: readonly PushClaim[], leaseMs: number): Promise<ReadonlySet<string>> {
    const held = claims.filter((claim) => this.#extend(claim, leaseMs));
    return new Set(held.map(({ holder }) => holder));
  }

  async advance(claim: PushClaim, cursor: number, leaseMs: number, letter?: DeadLetter): Promise<boolean> {
    const row = this.#extend(claim, leaseMs);
    if (!row) return false;
    Object.assign(row, { cursor, attempts: 0 });
    addLetter(row, letter);
    return true;
  }

  async release(claim: PushClaim, cursor: number, rest: PushRest, letter?: DeadLetter): Promise<PushReleased> {
    if (rest.kind === 'parked' && (await this.#versionOf(claim.ref)) > cursor) {
      return this.#held(claim) ? 'behind' : 'lost';
    }
    const row = this.#held(claim);
    if (!row) return 'lost';
    const { status, attempts, reason, dueAtMs } = this.#afterwards(rest);
    this.#change(row, { cursor, status, attempts, reason, dueAtMs, holder: undefined });
    addLetter(row, letter);
    return 'released';
  }

  async findDue(limit: number): Promise<PushRef[]> {
    const now = this.clock.now();
    const due = this.#allActive().filter(({ dueAtMs }) => dueAtMs !== undefined && dueAtMs <= now);
    const longestFirst = due.toSorted((a, b) => (a.dueAtMs ?? 0) - (b.dueAtMs ?? 0));
    return longestFirst.slice(0, limit).map(({ ref }) => ref);
  }

  async findBehind(after: number, limit: number): Promise<PushPage<PushRef>> {
    const { items, next } = pageOf(this.#allActive(), after, limit, ({ dueAtMs }) => dueAtMs === undefined);
    const versions = await Promise.all(items.map(({ ref }) => this.#versionOf(ref)));
    return { items: items.filter(({ cursor }, index) => (versions[index] ?? 0) > cursor).map(({ ref }) => ref), next };
  }

  async findActive(tasks: readonly Omit<PushRef, 'configId'>[]): Promise<PushRef[]> {
    const rows = tasks.flatMap(({ scope, taskId }) => [...(this.#tasks.get(taskKey(scope, taskId))?.values() ?? [])]);
    return rows.filter(({ status }) => status === 'active').map(({ ref }) => ref);
  }

  async findTroubled(after: number, limit: number): Promise<PushPage<TroubledPush>> {
    const all = [...this.#tasks.values()].flatMap((configs) => [...configs.values()]);
    const isTroubled = (row: Row): boolean => row.status === 'disabled' || row.attempts > 0 || row.letters.length > 0;
    const { items, next } = pageOf(all, after, limit, isTroubled);
    return { items: items.map((row) => ({ ref: row.ref, config: toStored(row), deadLetters: structuredClone(row.letters) })), next };
  }

  async rewind(ref: PushRef, cursor?: number): Promise<boolean> {
    const row = this.#row(ref);
    if (!row) return false;
    const oldest = Math.min(...row.letters.map(({ version }) => version));
    const target = Math.max(0, Math.min(row.cursor, cursor ?? oldest - 1));
    if (row.status === 'finished' && target === row.cursor) return true;
    row.cursor = target;
    this.#change(row, { ...restarted(row), status: 'active', dueAtMs: this.clock.now() });
    return true;
  }

  async forgetLetters(ref: PushRef): Promise<number> {
    return this.#row(ref)?.letters.splice(0).length ?? 0;
  }

  #row({ scope, taskId, configId }: PushRef): Row | undefined {
    return this.#tasks.get(taskKey(scope, taskId))?.get(configId);
  }

  #allActive(): Row[] {
    return [...this.#active.values()].flatMap((rows) => [...rows]);
  }

  #countActive(scope: TaskScope): number {
    return this.#active.get(ownerKey(scope))?.size ?? 0;
  }

  #change(row: Row, change: Partial<Row>): void {
    Object.assign(row, change);
    const key = ownerKey(row.ref.scope);
    const active = this.#active.get(key) ?? new Set();
    if (row.status === 'active') active.add(row);
    else active.delete(row);
    if (active.size > 0) this.#active.set(key, active);
    else this.#active.delete(key);
  }

  #held({ ref, holder }: PushClaim): Row | undefined {
    const row = this.#row(ref);
    return row?.holder === holder ? row : undefined;
  }

  #extend(claim: PushClaim, leaseMs: number): Row | undefined {
    const row = this.#held(claim);
    if (row) row.dueAtMs = this.clock.now() + leaseMs;
    return row;
  }

  #afterwards(rest: PushRest): Pick<Row, 'status' | 'attempts' | 'reason' | 'dueAtMs'> {
    switch (rest.kind) {
      case 'parked':
        return { status: 'active', attempts: 0 };
      case 'retry':
        return { status: 'active', attempts: rest.attempts, dueAtMs: this.clock.now() + rest.delayMs };
      case 'finished':
        return { status: 'finished', attempts: 0 };
      case 'disabled':
        return { status: 'disabled', attempts: 0, reason: rest.reason };
    }
  }

  async #versionOf({ scope, taskId }: PushRef): Promise<number> {
    const [task] = await this.tasks.findMany(scope, [{ taskId, knownVersion: Number.MAX_SAFE_INTEGER }]);
    return task?.head.version ?? 0;
  }
}

function ownerKey({ agentId, tenant, owner }: TaskScope): string {
  return JSON.stringify([agentId, tenant, owner]);
}

function pageOf(rows: readonly Row[], after: number, limit: number, matches: (row: Row) => boolean): PushPage<Row> {
  const found = rows.filter((row) => row.no > after && matches(row));
  const items = found.toSorted((a, b) => a.no - b.no).slice(0, limit);
  return { items, next: found.length > limit ? items.at(-1)?.no : undefined };
}

/** What a config is when it begins anew where it stands. */
function restarted({ cursor, letters }: Row): Pick<Row, 'attempts' | 'reason' | 'dueAtMs' | 'holder' | 'letters'> {
  return {
    attempts: 0,
    reason: undefined,
    dueAtMs: undefined,
    holder: undefined,
    letters: letters.filter(({ version }) => version <= cursor),
  };
}

function addLetter({ letters }: Row, letter: DeadLetter | undefined): void {
  if (letter && !letters.some(({ version }) => version === letter.version)) letters.push({ ...letter });
}

function toStored({ config, status, reason, attempts, cursor }: Row): StoredPushConfig {
  const { taskId, configId, url, scheme, secrets, extensions } = config;
  return { taskId, configId, url, scheme, secrets, extensions: [...extensions], status, reason, attempts, cursor };
}
