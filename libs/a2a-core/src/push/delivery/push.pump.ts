import { type TaskEvent } from '../../tasks/task-event.js';
import { DeliveryAttempt } from './delivery-attempt.js';
import { type PumpServices, type PumpSignals } from './pump.services.js';
import { type DeadLetter, type PushClaim, type PushReleased, type PushRest } from '../configs/push-config.repository.js';
import { type WebhookSecrets } from '../secrets/secret-seal.js';
import { isForWebhooks } from './webhook-event.js';

/** How long a pump waits for the next event before it parks, so that a working task is followed without claiming anew for each event. */
const LINGER_MS = 1_000;
/** An agent that is not hosted any more may come back with the next deployment. */
const UNHOSTED_MS = 300_000;
const IDLE = 'idle';

/** How a pump left its config. */
export interface PumpEnd {
  /** `lost`: somebody else has it, or it is gone. */
  readonly kind: PushRest['kind'] | 'lost';
  readonly cursor: number;
  /** Of a retry. */
  readonly delayMs?: number;
}

/**
 * Delivers the events of one task to one webhook: one more reader of the task's log, with a cursor that is kept.
 *
 * - Strictly in order: the next event waits until the one before is dealt with.
 * - An event is dealt with when its receiver has taken it (or will never take it), so a crash at any moment repeats at most the one that was
 *   on its way.
 * - Before each delivery the claim is confirmed and the last one noted, in one write. A config that was deleted or replaced meanwhile gets
 *   nothing more.
 */
export class PushPump {
  #cursor: number;
  #failures: number;
  /** The cursor is stored, and the claim held then. */
  #isNoted = true;

  constructor(
    private readonly services: PumpServices,
    private readonly claim: PushClaim,
    private readonly signals: PumpSignals,
  ) {
    this.#cursor = claim.cursor;
    this.#failures = claim.attempts;
  }

  async run(): Promise<PumpEnd> {
    const { scope, taskId } = this.claim.ref;
    const { log } = this.services;
    const secrets = this.#openSecrets();
    if (!secrets) return this.#rest({ kind: 'disabled', reason: 'sealed' });
    const reading = AbortSignal.any([this.signals.ending, this.signals.ended]);
    const events = log.follow(scope, taskId, this.#cursor, reading, true)[Symbol.asyncIterator]();
    try {
      return await this.#deliverAll(events, new DeliveryAttempt(this.services, this.claim, secrets, this.signals));
    } finally {
      await events.return?.();
    }
  }

  async #deliverAll(events: AsyncIterator<TaskEvent>, attempt: DeliveryAttempt): Promise<PumpEnd> {
    for (let next = events.next(); ;) {
      const result = await this.#nextOrIdle(next);
      if (result === IDLE) {
        const released = await this.#release({ kind: 'parked' });
        if (released !== 'behind') return this.#end(released === 'lost' ? 'lost' : 'parked');
        continue;
      }
      if (result.done) return this.#rest({ kind: 'retry', attempts: this.#failures, delayMs: 0 });
      const end = await this.#deal(result.value, attempt);
      if (end) return end;
      next = events.next();
    }
  }

  /** @returns how it ends, when it ends here */
  async #deal(event: TaskEvent, attempt: DeliveryAttempt): Promise<PumpEnd | undefined> {
    const { settings, agents } = this.services;
    const agent = agents.find(this.claim.ref.scope.agentId)?.options;
    const { artifactUpdates = settings.artifactUpdates, targets = settings.targets } = agent?.webhooks ?? {};
    let letter: DeadLetter | undefined;
    if (isForWebhooks(event, artifactUpdates)) {
      if (!agent) return this.#rest({ kind: 'retry', attempts: this.#failures, delayMs: UNHOSTED_MS });
      if (!(await this.#mayGoOn())) return this.#end('lost');
      const end = await attempt.run(event, this.#failures, artifactUpdates, targets);
      if (end.rest) return this.#rest(end.rest, end.letter);
      letter = end.letter;
      this.#failures = 0;
      this.#isNoted = false;
    }
    this.#cursor = event.version;
    if (event.endsTask) return this.#rest({ kind: 'finished' }, letter);
    return letter && !(await this.#advance(letter)) ? this.#end('lost') : undefined;
  }

  /** The config is still there and ours, and its owner may have what comes. */
  async #mayGoOn(): Promise<boolean> {
    const { scope, taskId, configId } = this.claim.ref;
    if (this.signals.ended.aborted || !(this.#isNoted || (await this.#advance()))) return false;
    if (await this.services.access.isAllowed(scope, taskId)) return true;
    await this.services.repository.delete(scope, taskId, configId);
    this.services.logger.warn('A webhook was removed: its owner may not have the task any more', this.#facts);
    return false;
  }

  async #advance(letter?: DeadLetter): Promise<boolean> {
    return (this.#isNoted = await this.services.repository.advance(this.claim, this.#cursor, this.services.settings.leaseMs, letter));
  }

  async #rest(rest: PushRest, letter?: DeadLetter): Promise<PumpEnd> {
    const released = await this.#release(rest, letter);
    return this.#end(released === 'lost' ? 'lost' : rest.kind, rest.kind === 'retry' ? rest.delayMs : undefined);
  }

  #release(rest: PushRest, letter?: DeadLetter): Promise<PushReleased> {
    return this.services.repository.release(this.claim, this.#cursor, rest, letter);
  }

  #end(kind: PumpEnd['kind'], delayMs?: number): PumpEnd {
    return { kind, cursor: this.#cursor, delayMs };
  }

  async #nextOrIdle(next: Promise<IteratorResult<TaskEvent>>): Promise<IteratorResult<TaskEvent> | typeof IDLE> {
    const patience = new AbortController();
    const idle = this.services.clock.sleep(LINGER_MS, patience.signal).catch(() => undefined);
    return Promise.race([next, idle.then((): typeof IDLE => IDLE)]).finally(() => patience.abort());
  }

  #openSecrets(): WebhookSecrets | undefined {
    const { ref, config } = this.claim;
    try {
      return this.services.seal.open(ref, config.url, config.secrets);
    } catch (error) {
      this.services.logger.error('A webhook was disabled: no key of this host opens its credentials', { ...this.#facts, error });
      return undefined;
    }
  }

  get #facts(): Record<string, unknown> {
    const { scope, taskId, configId } = this.claim.ref;
    return { agentId: scope.agentId, taskId, configId };
  }
}
