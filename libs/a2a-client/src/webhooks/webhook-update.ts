import { type StreamResponse } from '@a2a/a2a-core';

/** One update of a task, verified. */
export interface WebhookUpdate {
  /** The same for every attempt of one update. */
  readonly deliveryId: string;
  readonly taskId: string;
  /** The task, a new status, or (a piece of) an artifact. */
  readonly event: StreamResponse;
  /** When this attempt was sent, as the sender says; undefined for senders that do not. */
  readonly sentAt?: Date;
}
