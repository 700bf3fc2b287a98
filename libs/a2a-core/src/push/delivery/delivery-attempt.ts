import { type OutboundTargets } from '../../outbound/outbound-http.js';
import { type TaskEvent } from '../../tasks/task-event.js';
import { type DeadLetter, type PushClaim, type PushRest } from '../configs/push-config.repository.js';
import { type DeliveryOutcome } from './push-notification.sender.js';
import { type PumpServices, type PumpSignals } from './pump.services.js';
import { type ArtifactUpdates } from '../push.options.js';
import { type WebhookSecrets } from '../secrets/secret-seal.js';
import { webhookBody } from './webhook-event.js';

/** What an event's delivery came to: it is dealt with (`letter`: undelivered), or the config rests. */
export interface AttemptEnd {
  readonly rest?: PushRest;
  readonly letter?: DeadLetter;
}

/** Decides what becomes of one event at one webhook. Touches no store: whoever asks writes down the answer. */
export class DeliveryAttempt {
  constructor(
    private readonly services: PumpServices,
    private readonly claim: PushClaim,
    private readonly secrets: WebhookSecrets,
    private readonly signals: PumpSignals,
  ) {}

  /** @param failures attempts of this event that have failed already */
  async run(
    event: TaskEvent,
    failures: number,
    artifactUpdates: ArtifactUpdates,
    targets: OutboundTargets | undefined,
  ): Promise<AttemptEnd> {
    const { gate, clock, sender, tasks } = this.services;
    const { ref, config } = this.claim;
    const { version } = event;
    const { host } = new URL(config.url);
    const pass = await gate.enter(host, AbortSignal.any([this.signals.ending, this.signals.ended]));
    if (pass.kind === 'postponed') return this.#postponed(failures, pass.delayMs);
    const startedAtMs = clock.now();
    let outcome: DeliveryOutcome = { kind: 'failed', reason: 'error' };
    try {
      const body = await webhookBody(tasks, ref, event, artifactUpdates, config.extensions);
      outcome = await sender.send({ ref, config, secrets: this.secrets, version, body, targets }, this.signals.ended);
    } finally {
      pass.leave(outcome.kind !== 'failed' || this.signals.ended.aborted);
    }
    if (outcome.kind === 'failed' && this.signals.ended.aborted) return this.#postponed(failures, 0);
    const facts = { host, version, attempt: failures + 1, durationMs: clock.now() - startedAtMs };
    return this.#judge(outcome, version, failures + 1, facts);
  }

  #judge(outcome: DeliveryOutcome, version: number, attempts: number, facts: Record<string, unknown>): AttemptEnd {
    switch (outcome.kind) {
      case 'delivered':
        this.#note('debug', 'A webhook was delivered', facts);
        return {};
      case 'refused':
        this.#note('warn', 'A webhook was refused', { ...facts, reason: outcome.reason });
        return { letter: this.#letter(version, outcome.reason, attempts) };
      case 'gone':
        this.#note('warn', 'A webhook was disabled: its receiver is gone', facts);
        return { rest: { kind: 'disabled', reason: 'gone' } };
      case 'failed': {
        const delayMs = this.services.retries.delayMs(attempts, outcome.retryAfterMs);
        this.#note('warn', 'A webhook failed', { ...facts, reason: outcome.reason, retryInMs: delayMs });
        if (delayMs !== undefined) return { rest: { kind: 'retry', attempts, delayMs } };
        this.#note('error', 'A webhook was disabled: its last attempt failed', facts);
        return { rest: { kind: 'disabled', reason: 'exhausted' }, letter: this.#letter(version, outcome.reason, attempts) };
      }
    }
  }

  #postponed(failures: number, delayMs: number): AttemptEnd {
    return { rest: { kind: 'retry', attempts: failures, delayMs: this.services.retries.spread(delayMs) } };
  }

  #letter(version: number, reason: string, attempts: number): DeadLetter {
    return { version, reason, attempts, atMs: this.services.clock.now() };
  }

  /** The URL stays out of the log: it may hold a secret. */
  #note(level: 'debug' | 'warn' | 'error', message: string, facts: Record<string, unknown>): void {
    const { scope, taskId, configId } = this.claim.ref;
    this.services.logger[level](message, { agentId: scope.agentId, taskId, configId, ...facts });
  }
}
