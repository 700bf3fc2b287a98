import { createHash } from 'node:crypto';
import { type JsonValue } from '@bufbuild/protobuf';
import { type TurnStore } from '@a2a/a2a-core';
import { type Expense, type ExpenseDraft } from './expense.js';

/** `refused`: by the policy, before a person is asked. `declined`: by a person. */
export type ClaimStatus = 'open' | 'booked' | 'withdrawn' | 'declined' | 'refused';

/** What was booked, and when; `number` is what people quote. */
export type Booking = { readonly number: string; readonly bookedAt: string; readonly expense: Expense };

/** One expense of one caller, from the first word to the booking. */
export type Claim = {
  /** The task that deals with it; one task, one claim. */
  readonly taskId: string;
  readonly draft: ExpenseDraft;
  readonly status: ClaimStatus;
  /** Extensions that the caller's last message activated; they hold for what follows from it. */
  readonly extensions: string[];
  /** The approval that was asked for last. */
  readonly approvalId?: string;
  readonly booking?: Booking;
  /** What the caller is told at the end, when nothing was booked. */
  readonly note?: string;
};

const INDEX = 'claims';
const INDEX_LENGTH = 50;

/**
 * The caller's claims and bookings, in the caller's durable store.
 *
 * - A task is booked at most once, however often and however concurrently `book` is called: its id is the idempotency key.
 * - Only an open claim changes. Of a booking and a withdrawal at once, one wins, and both get to know which.
 */
export class ExpenseLedger {
  constructor(private readonly store: TurnStore) {}

  /** The claim of a task; a new one when there is none. */
  async open(taskId: string): Promise<Claim> {
    await this.store.update(INDEX, (present) => {
      const ids = (present ?? []) as string[];
      return ids.includes(taskId) ? ids : [taskId, ...ids].slice(0, INDEX_LENGTH);
    });
    return this.#change(taskId, (claim) => claim);
  }

  amend(taskId: string, said: ExpenseDraft, extensions: readonly string[]): Promise<Claim> {
    return this.#change(taskId, (claim) => ({ ...claim, draft: { ...claim.draft, ...said }, extensions: [...extensions] }));
  }

  awaitApproval(taskId: string, approvalId: string): Promise<Claim> {
    return this.#change(taskId, (claim) => ({ ...claim, approvalId }));
  }

  close(taskId: string, status: 'withdrawn' | 'declined' | 'refused', note: string): Promise<Claim> {
    return this.#change(taskId, (claim) => ({ ...claim, status, note }));
  }

  book(taskId: string, expense: Expense, bookedAt: string): Promise<Claim> {
    const booking = { number: numberOf(taskId, bookedAt), bookedAt, expense };
    return this.#change(taskId, (claim) => ({ ...claim, status: 'booked', booking }));
  }

  /** The newest 50, newest first. */
  async list(): Promise<Claim[]> {
    const ids = ((await this.store.get(INDEX)) ?? []) as string[];
    const claims = await Promise.all(ids.map((taskId) => this.store.get(keyOf(taskId))));
    return claims.flatMap((claim) => (claim === undefined ? [] : [claim as Claim]));
  }

  async #change(taskId: string, change: (claim: Claim) => Claim): Promise<Claim> {
    const stored = await this.store.update(keyOf(taskId), (present) => {
      const claim = (present ?? { taskId, draft: {}, extensions: [], status: 'open' }) as Claim;
      return (claim.status === 'open' ? change(claim) : claim) as JsonValue;
    });
    return stored as Claim;
  }
}

function keyOf(taskId: string): string {
  return `claim:${taskId}`;
}

/** Derived from the idempotency key, so it is known before it is stored and needs no counter. */
function numberOf(taskId: string, bookedAt: string): string {
  const digest = createHash('sha256').update(taskId).digest('hex').slice(0, 10).toUpperCase();
  return `EXP-${bookedAt.slice(0, 4)}-${digest}`;
}
