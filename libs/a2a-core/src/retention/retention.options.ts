/**
 * How long things are kept, for `A2aCoreModule.forRoot({ retention })`. Without a time they are kept until somebody deletes them.
 *
 * What goes by age goes within `sweepEveryMs` of its time. Message receipts are the store's, and last for 24 hours by default.
 */
export interface RetentionOptions {
  /** Tasks, from their end on. A task that has not ended is never removed by age. Milliseconds. */
  readonly tasksMs?: number;
  /** What agents keep for a context or a caller (`turn.contextStore`, `turn.callerStore`), each value from its last write on. Milliseconds. */
  readonly contextsMs?: number;
  /** Milliseconds, default one hour. */
  readonly sweepEveryMs?: number;
}

export const DEFAULT_SWEEP_EVERY_MS = 60 * 60 * 1_000;
