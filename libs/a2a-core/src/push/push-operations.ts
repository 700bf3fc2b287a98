import { type Audit } from '../audit/audit.js';
import { type TaskScope } from '../tasks/task-scope.js';
import { type PushConfigRepository, type PushPage, type PushRef, type TroubledPush } from './push-config.repository.js';
import { type PushNotificationDispatcher } from './push-notification.dispatcher.js';

/** All that a webhook's owner is told of deliveries: nothing in it says why, so it draws no map of a network. */
export type DeliveryState = 'delivered' | 'retrying' | 'disabled';

/**
 * Webhooks for those who run the host, across all owners. Whoever exposes this checks who asks.
 *
 * Details go to operators only; owners get `stateFor`.
 */
export class PushOperations {
  constructor(
    private readonly repository: PushConfigRepository,
    private readonly dispatcher: PushNotificationDispatcher,
    private readonly audit: Audit,
  ) {}

  /** Webhooks that are failing or disabled, or whose receivers refused events. @param after `next` of the page before */
  troubled(limit: number, after = 0): Promise<PushPage<TroubledPush>> {
    return this.repository.findTroubled(after, limit);
  }

  /**
   * Delivers again, in order and under the same delivery ids: everything from the first dead letter on, and what never came to its turn.
   * A disabled webhook is enabled. It is on the audit trail.
   *
   * @param by who asks
   * @param fromVersion begin with this event instead
   * @returns false when there is no such webhook
   */
  async replay(ref: PushRef, by: string, fromVersion?: number): Promise<boolean> {
    const isKnown = await this.repository.rewind(ref, fromVersion === undefined ? undefined : fromVersion - 1);
    const outcome = isKnown ? 'ok' : 'failed';
    this.audit.note('push_config.replay', { outcome, operator: by, ...ref.scope, taskId: ref.taskId, detail: ref.configId });
    if (isKnown) this.dispatcher.wake(ref);
    return isKnown;
  }

  /** What the owner of a webhook may know of it; undefined when the scope has no such webhook. */
  async stateFor(scope: TaskScope, taskId: string, configId: string): Promise<DeliveryState | undefined> {
    const config = await this.repository.find(scope, taskId, configId);
    if (!config) return undefined;
    if (config.status === 'disabled') return 'disabled';
    return config.attempts > 0 ? 'retrying' : 'delivered';
  }
}
