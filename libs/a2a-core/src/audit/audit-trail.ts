import { type BindingName } from '../call/call-context.js';
import { type OperationName } from '../protocol/operations.js';

/**
 * What was tried. `authentication`, `authorization`, `task.lookup` and `limit` are recorded only when refused.
 *
 * Names of a host's own are welcome; begin them with a prefix of yours, such as `billing.`.
 */
export type AuditEvent =
  /** Credentials that are missing, wrong or unreadable. */
  | 'authentication'
  /** A known caller that lacks a scope, a tenant, a skill or the consent of the host's own policy. */
  | 'authorization'
  /** A task that was named and is not the caller's: absent or foreign, which is the same to everybody. */
  | 'task.lookup'
  /** Too often; once for each limit and the time it counts for, not for every call. */
  | 'limit'
  | 'task.create'
  | 'task.cancel'
  | 'push_config.set'
  | 'push_config.delete'
  /** By an operator, who sends a webhook's deliveries again. */
  | 'push_config.replay'
  /** By an operator, who gives up what a webhook's receiver did not take. */
  | 'push_config.drop'
  | 'extended_card.read'
  /** By request, of an operator. */
  | 'data.delete'
  /** By age. */
  | 'data.expire'
  | (string & {});

/** One line of the audit trail. Ids, names and numbers only; never a credential, a subject or anything that was said. */
export interface AuditRecord {
  /** Unix epoch, milliseconds. */
  readonly atMs: number;
  readonly event: AuditEvent;
  /** `refused`: by a rule, see `reason`. `failed`: it was allowed, and did not work out or not wholly. */
  readonly outcome: 'ok' | 'refused' | 'failed';
  readonly binding?: BindingName;
  readonly operation?: OperationName;
  readonly remoteAddress?: string;
  readonly agentId?: string;
  readonly tenant?: string;
  /** `ownerDigest` of whom it happened to or who did it; the same as in the lines of the log. */
  readonly owner?: string;
  /** Who ran the host and did it; undefined for what callers do. */
  readonly operator?: string;
  readonly taskId?: string;
  readonly contextId?: string;
  /** An error's reason, such as `PERMISSION_DENIED`. */
  readonly reason?: string;
  /** More of why, for people; see RefusalCause. */
  readonly detail?: string;
  /** How much of what, such as `{ tasks: 3, values: 1 }`. */
  readonly counts?: Readonly<Record<string, number>>;
}

/**
 * Where records of sensitive operations go (A2A §13.4).
 *
 * The core's own writes them to A2aLogger, each with `audit: true`. Provide another one, through `overrides` of A2aCoreModule, to keep them
 * longer or elsewhere than the log.
 */
export abstract class AuditTrail {
  /** Must not wait. What it throws goes to the log and changes nothing else. */
  abstract record(record: AuditRecord): void;
}
