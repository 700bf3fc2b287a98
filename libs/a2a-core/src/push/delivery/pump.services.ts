import { type AgentRegistry } from '../../agents/agent-registry.js';
import { type Clock } from '../../clock.js';
import { type A2aLogger } from '../../logging.js';
import { type TaskEventLog } from '../../tasks/task-event-log.js';
import { type TaskRepository } from '../../tasks/task-repository.js';
import { type PushConfigRepository } from '../configs/push-config.repository.js';
import { type PushNotificationSender } from './push-notification.sender.js';
import { type PushSettings } from '../push.options.js';
import { type RetryPolicy } from './retry-policy.js';
import { type SecretSeal } from '../secrets/secret-seal.js';
import { type TargetGate } from './target.gate.js';
import { type WebhookAccess } from './webhook-access.js';

/** What delivering reaches into. */
export interface PumpServices {
  readonly repository: PushConfigRepository;
  readonly tasks: TaskRepository;
  readonly log: TaskEventLog;
  readonly agents: AgentRegistry;
  readonly sender: PushNotificationSender;
  readonly gate: TargetGate;
  readonly seal: SecretSeal;
  readonly retries: RetryPolicy;
  readonly access: WebhookAccess;
  readonly clock: Clock;
  readonly logger: A2aLogger;
  readonly settings: PushSettings;
}

/** Told to a pump from outside. */
export interface PumpSignals {
  /** Finish the delivery that is on its way, then let go. */
  readonly ending: AbortSignal;
  /** Let go at once. */
  readonly ended: AbortSignal;
}
