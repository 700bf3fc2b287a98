import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, StateStore, type TaskRef, type TaskScope } from '@a2a/a2a-core';
import { type Approval, type ApprovalOutcome, type ApprovalRequest, type ApprovalStatus, statusOf } from './approval.js';
import { ApprovalOptions } from './approval.options.js';

/** `@` cannot stand in an agent's id, so no caller's values are ever here. */
const BOOK: TaskScope = { agentId: '@approvals', tenant: '', owner: '@host' };
const APPROVALS = 'approvals';
const PENDING = 'pending';
/** In the scope of a task: the ids of its approvals. */
const BY_TASK = 'approvals';
const PENDING_KEY = 'decided';
const ID_FORM = /^[\w-]{43}$/;

/** What came of an attempt to decide. `approval` is as it stands now, whoever decided it. */
export interface Attempt {
  readonly result: 'decided' | 'unknown' | 'wrong-token' | 'expired' | 'decided-otherwise';
  readonly approval?: Approval;
}

/**
 * Keeps approvals in the host's durable store.
 *
 * - An approval has one decision: of two at once, one wins, and the other is told.
 * - Once `decide` has resolved, the decision survives a restart, and `pending` names it until `settle`.
 * - Ids and tokens carry 256 random bits each.
 */
@Injectable()
export class ApprovalBook {
  constructor(
    private readonly store: StateStore,
    private readonly clock: Clock,
    private readonly options: ApprovalOptions,
  ) {}

  async open(request: ApprovalRequest): Promise<Approval> {
    const { scope, taskId } = request.task;
    const approval: Approval = {
      id: secret(),
      token: secret(),
      task: { scope: { agentId: scope.agentId, tenant: scope.tenant, owner: scope.owner }, taskId },
      title: request.title,
      facts: request.facts.map(({ label, value }) => ({ label, value })),
      subject: request.subject,
      expiresAtMs: this.clock.now() + this.options.expiresAfterMs,
    };
    // First the way to it, then the approval: none is ever out of reach of `forget`.
    await this.store.update(scope, BY_TASK, taskId, (present) => [...((present ?? []) as string[]), approval.id]);
    await this.store.update(BOOK, APPROVALS, approval.id, () => approval);
    return approval;
  }

  /** Removes all approvals of a task, whatever became of them. @returns how many there were */
  async forget({ scope, taskId }: TaskRef): Promise<number> {
    const ids = ((await this.store.get(scope, BY_TASK, taskId)) ?? []) as string[];
    for (const id of ids) {
      await this.settle(id);
      await this.store.update(BOOK, APPROVALS, id, () => undefined);
    }
    if (ids.length > 0) await this.store.update(scope, BY_TASK, taskId, () => undefined);
    return ids.length;
  }

  async find(id: string): Promise<Approval | undefined> {
    return ID_FORM.test(id) ? ((await this.store.get(BOOK, APPROVALS, id)) as Approval | undefined) : undefined;
  }

  /** @throws {Error} when there is none: the caller got the id from this book */
  async get(id: string): Promise<Approval> {
    const approval = await this.find(id);
    if (!approval) throw new Error('The approval is not in the book any more');
    return approval;
  }

  /** As it is now. Only `approved` allows anything, and only what the approval's subject says. */
  statusOf(approval: Approval): ApprovalStatus {
    return statusOf(approval, this.clock.now());
  }

  /** The page on which a person decides. */
  urlOf(approval: Approval): string {
    return `${this.options.publicUrl}/approvals/${approval.id}`;
  }

  /** Decides for whoever holds the page's token. Repeating the decision that stands is no error. */
  async decide(id: string, token: string, outcome: 'approved' | 'declined'): Promise<Attempt> {
    const approval = await this.find(id);
    if (!approval) return { result: 'unknown' };
    if (!sameText(approval.token, token)) return { result: 'wrong-token' };
    if (this.statusOf(approval) === 'expired') return { result: 'expired', approval };
    // First to the list, then into the record: a crash in between leaves an entry too many, never one too few.
    if (!approval.decision) await this.#changePending((ids) => [...ids.filter((each) => each !== id), id]);
    const decided = await this.#conclude(id, outcome);
    return { result: decided.decision?.outcome === outcome ? 'decided' : 'decided-otherwise', approval: decided };
  }

  /** Takes an approval back, unless somebody has decided it already. */
  async withdraw(id: string): Promise<void> {
    await this.#conclude(id, 'withdrawn');
  }

  /** Approvals that were decided and whose task has not taken note yet, oldest first. */
  async pending(): Promise<readonly string[]> {
    return ((await this.store.get(BOOK, PENDING, PENDING_KEY)) ?? []) as string[];
  }

  /** The task has taken note; nobody needs to tell it again. */
  async settle(id: string): Promise<void> {
    await this.#changePending((ids) => ids.filter((each) => each !== id));
  }

  async #conclude(id: string, outcome: ApprovalOutcome): Promise<Approval> {
    const atMs = this.clock.now();
    const stored = await this.store.update(BOOK, APPROVALS, id, (present) => {
      const approval = present as Approval | undefined;
      return approval && (approval.decision ? approval : { ...approval, decision: { outcome, atMs } });
    });
    return stored as Approval;
  }

  async #changePending(change: (ids: readonly string[]) => string[]): Promise<void> {
    await this.store.update(BOOK, PENDING, PENDING_KEY, (present) => {
      const next = change((present ?? []) as string[]);
      return next.length > 0 ? next : undefined;
    });
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
