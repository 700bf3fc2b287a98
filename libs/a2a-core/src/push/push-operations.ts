import { Audit } from '../audit/audit.js';
import { type AuditEvent } from '../audit/audit-trail.js';
import { LoggedAuditTrail } from '../audit/logged-audit.trail.js';
import { SystemClock } from '../clock.js';
import { type A2aLogger } from '../logging.js';
import { type TaskScope } from '../tasks/task-scope.js';
import { type PushConfigRepository, type PushPage, type PushRef, type TroubledPush } from './configs/push-config.repository.js';
import { type PushNotificationDispatcher } from './delivery/push-notification.dispatcher.js';

/** All that a webhook's owner is told of deliveries: nothing in it says why, so it draws no map of a network. */
export type DeliveryState = 'delivered' | 'retrying' | 'disabled';

/** What was given up: the dead letters of a webhook, the webhook with everything, or nothing, because there was none. */
export type Dropped = 'letters' | 'webhook' | 'unknown';

/**
 * Webhooks for those who run the host, across all owners. Whoever exposes this checks who asks.
 *
 * Details go to operators only; owners get `stateFor`.
 */
export class PushOperations {
  constructor(
    private readonly repository: PushConfigRepository,
    private readonly audit: Audit,
    /** Of this process. Without one, a process that has one finds out by looking. */
    private readonly dispatcher?: PushNotificationDispatcher,
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
    this.#note('push_config.replay', ref, by, isKnown);
    if (isKnown) this.dispatcher?.wake(ref);
    return isKnown;
  }

  /**
   * Gives up what is owed. A webhook that fails or is disabled is removed, with all that it still had to deliver; one that works keeps going
   * and loses its dead letters only. It is on the audit trail.
   *
   * @param by who asks
   */
  async drop(ref: PushRef, by: string): Promise<Dropped> {
    const { scope, taskId, configId } = ref;
    const config = await this.repository.find(scope, taskId, configId);
    const works = config?.status === 'finished' || (config?.status === 'active' && config.attempts === 0);
    if (works) {
      await this.repository.forgetLetters(ref);
    } else {
      await this.repository.delete(scope, taskId, configId);
      this.dispatcher?.forget(ref);
    }
    this.#note('push_config.drop', ref, by, config !== undefined);
    if (!config) return 'unknown';
    return works ? 'letters' : 'webhook';
  }

  /** What the owner of a webhook may know of it; undefined when the scope has no such webhook. */
  async stateFor(scope: TaskScope, taskId: string, configId: string): Promise<DeliveryState | undefined> {
    const config = await this.repository.find(scope, taskId, configId);
    if (!config) return undefined;
    if (config.status === 'disabled') return 'disabled';
    return config.attempts > 0 ? 'retrying' : 'delivered';
  }

  #note(event: AuditEvent, { scope, taskId, configId }: PushRef, operator: string, isKnown: boolean): void {
    this.audit.note(event, { outcome: isKnown ? 'ok' : 'failed', operator, ...scope, taskId, detail: configId });
  }
}

/** Operations on the webhooks of an open store, for programs that are not hosts. Records of the audit trail go to `logger`. */
export function storePushOperations({ pushConfigs }: { readonly pushConfigs: PushConfigRepository }, logger: A2aLogger): PushOperations {
  return new PushOperations(pushConfigs, new Audit(new LoggedAuditTrail(logger), new SystemClock(), logger));
}
