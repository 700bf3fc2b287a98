import { Clock, SystemClock } from '../../clock.js';
import { type TaskRepository } from '../../tasks/task-repository.js';
import { type TaskScope } from '../../tasks/task-scope.js';
import { pageOf, PushConfigShelf, type ShelvedPushConfig } from './in-memory-push-config.shelf.js';
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
  type TroubledPush,
} from './push-config.repository.js';

/**
 * Keeps webhooks in this process, for tests and for hosts that may forget.
 *
 * Once a call has asked for the task, if it has to, it does its work in one go, so calls never interleave.
 */
export class InMemoryPushConfigRepository extends PushConfigRepository {
  readonly #shelf = new PushConfigShelf();

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
    const present = this.#shelf.find(ref);
    if (!present && this.#shelf.countOfTask(scope, ref.taskId) >= perTask) return 'too many for the task';
    if (present?.status !== 'active' && !config.isFinished && this.#shelf.countActive(scope) >= perOwner) return 'too many for the owner';
    if (present) {
      const status = present.status === 'finished' ? 'finished' : 'active';
      this.#shelf.change(present, { config, ...restarted(present), status });
    } else {
      this.#shelf.add(ref, config);
    }
    return 'saved';
  }

  async find(scope: TaskScope, taskId: string, configId: string): Promise<StoredPushConfig | undefined> {
    const row = this.#shelf.find({ scope, taskId, configId });
    return row && toStored(row);
  }

  async list(scope: TaskScope, taskId: string, after: string | undefined, limit: number): Promise<StoredPushConfig[]> {
    const behind = this.#shelf.ofTask(scope, taskId).filter(({ ref }) => after === undefined || ref.configId > after);
    const inOrder = behind.toSorted((a, b) => (a.ref.configId < b.ref.configId ? -1 : 1));
    return inOrder.slice(0, limit).map(toStored);
  }

  async delete(scope: TaskScope, taskId: string, configId: string): Promise<void> {
    const row = this.#shelf.find({ scope, taskId, configId });
    if (row) this.#shelf.remove(row);
  }

  async countActive(scope: TaskScope): Promise<number> {
    return this.#shelf.countActive(scope);
  }

  async claim(ref: PushRef, holder: string, leaseMs: number): Promise<PushClaim | undefined> {
    const row = this.#shelf.find(ref);
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
    this.#shelf.change(row, { cursor, status, attempts, reason, dueAtMs, holder: undefined });
    addLetter(row, letter);
    return 'released';
  }

  async findDue(limit: number): Promise<PushRef[]> {
    const now = this.clock.now();
    const due = this.#shelf.active().filter(({ dueAtMs }) => dueAtMs !== undefined && dueAtMs <= now);
    const longestFirst = due.toSorted((a, b) => (a.dueAtMs ?? 0) - (b.dueAtMs ?? 0));
    return longestFirst.slice(0, limit).map(({ ref }) => ref);
  }

  async findBehind(after: number, limit: number): Promise<PushPage<PushRef>> {
    const { items, next } = pageOf(this.#shelf.active(), after, limit, ({ dueAtMs }) => dueAtMs === undefined);
    const versions = await Promise.all(items.map(({ ref }) => this.#versionOf(ref)));
    return { items: items.filter(({ cursor }, index) => (versions[index] ?? 0) > cursor).map(({ ref }) => ref), next };
  }

  async findActive(tasks: readonly Omit<PushRef, 'configId'>[]): Promise<PushRef[]> {
    const rows = tasks.flatMap(({ scope, taskId }) => this.#shelf.ofTask(scope, taskId));
    return rows.filter(({ status }) => status === 'active').map(({ ref }) => ref);
  }

  async findTroubled(after: number, limit: number): Promise<PushPage<TroubledPush>> {
    const isTroubled = (row: ShelvedPushConfig): boolean => row.status === 'disabled' || row.attempts > 0 || row.letters.length > 0;
    const { items, next } = pageOf(this.#shelf.all(), after, limit, isTroubled);
    return { items: items.map((row) => ({ ref: row.ref, config: toStored(row), deadLetters: structuredClone(row.letters) })), next };
  }

  async rewind(ref: PushRef, cursor?: number): Promise<boolean> {
    const row = this.#shelf.find(ref);
    if (!row) return false;
    const oldest = Math.min(...row.letters.map(({ version }) => version));
    const target = Math.max(0, Math.min(row.cursor, cursor ?? oldest - 1));
    if (row.status === 'finished' && target === row.cursor) return true;
    row.cursor = target;
    this.#shelf.change(row, { ...restarted(row), status: 'active', dueAtMs: this.clock.now() });
    return true;
  }

  async forgetLetters(ref: PushRef): Promise<number> {
    return this.#shelf.find(ref)?.letters.splice(0).length ?? 0;
  }

  #held({ ref, holder }: PushClaim): ShelvedPushConfig | undefined {
    const row = this.#shelf.find(ref);
    return row?.holder === holder ? row : undefined;
  }

  #extend(claim: PushClaim, leaseMs: number): ShelvedPushConfig | undefined {
    const row = this.#held(claim);
    if (row) row.dueAtMs = this.clock.now() + leaseMs;
    return row;
  }

  #afterwards(rest: PushRest): Pick<ShelvedPushConfig, 'status' | 'attempts' | 'reason' | 'dueAtMs'> {
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

/** What a config is when it begins anew where it stands. */
function restarted({
  cursor,
  letters,
}: ShelvedPushConfig): Pick<ShelvedPushConfig, 'attempts' | 'reason' | 'dueAtMs' | 'holder' | 'letters'> {
  return {
    attempts: 0,
    reason: undefined,
    dueAtMs: undefined,
    holder: undefined,
    letters: letters.filter(({ version }) => version <= cursor),
  };
}

function addLetter({ letters }: ShelvedPushConfig, letter: DeadLetter | undefined): void {
  if (letter && !letters.some(({ version }) => version === letter.version)) letters.push({ ...letter });
}

function toStored({ config, status, reason, attempts, cursor }: ShelvedPushConfig): StoredPushConfig {
  const { taskId, configId, url, scheme, secrets, extensions } = config;
  return { taskId, configId, url, scheme, secrets, extensions: [...extensions], status, reason, attempts, cursor };
}
