import { type TaskRef } from '@a2a/a2a-core';

/** A line that the page shows, such as `Amount` and `42.50 EUR`. */
export type ApprovalFact = { readonly label: string; readonly value: string };

/** What an agent asks a person for. */
export interface ApprovalRequest {
  /** The task to go on with once somebody has decided. */
  readonly task: TaskRef;
  /** The question, such as `Book this expense?`. */
  readonly title: string;
  readonly facts: readonly ApprovalFact[];
  /**
   * Says exactly what is approved, such as a digest of the amount and the payee. The agent compares it before it acts: an approval of
   * something else is none (A2A §7.6.4).
   */
  readonly subject: string;
}

/** `withdrawn`: the agent does not want it any more, because the task was cancelled or its subject changed. */
export type ApprovalOutcome = 'approved' | 'declined' | 'withdrawn';

/** The first decision stands. */
export type ApprovalDecision = { readonly outcome: ApprovalOutcome; readonly atMs: number };

/** One request for approval and what became of it. A plain JSON value, so that it can be stored as it is. */
export type Approval = {
  /** Unguessable; who knows it may see the page. */
  readonly id: string;
  readonly task: { readonly scope: { readonly agentId: string; readonly tenant: string; readonly owner: string }; readonly taskId: string };
  readonly title: string;
  readonly facts: ApprovalFact[];
  readonly subject: string;
  /** Stands in the form of the page and nowhere else; good for this approval only. */
  readonly token: string;
  /** Unix epoch, milliseconds. From then on it authorises nothing, decided or not. */
  readonly expiresAtMs: number;
  readonly decision?: ApprovalDecision;
};

/** Expiry ends what nobody has decided, and what was approved. */
export type ApprovalStatus = 'open' | 'expired' | ApprovalOutcome;

/** An approval that nobody acted upon in time is worth nothing: it expires as an open one does. */
export function statusOf(approval: Approval, nowMs: number): ApprovalStatus {
  const outcome = approval.decision?.outcome ?? 'open';
  const canExpire = outcome === 'open' || outcome === 'approved';
  return canExpire && nowMs >= approval.expiresAtMs ? 'expired' : outcome;
}
