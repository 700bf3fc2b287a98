import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { type TaskEventBus } from '../../tasks/task-event-bus.js';
import { parseTaskKey, taskKey } from '../../tasks/task-scope.js';
import { KnownWebhooks } from './known-webhooks.js';
import { type PushClaim, type PushRef } from '../configs/push-config.repository.js';
import { type PumpServices } from './pump.services.js';
import { type PumpEnd, PushPump } from './push.pump.js';

const AT_ONCE = 1_024;
const RENEWALS_A_LEASE = 3;
/** Retries that this process wakes for itself; more are found by looking. */
const COMING_BACK = 10_000;
/** How long deliveries that are on their way may take when the host stops. */
const LAST_GRACE_MS = 1_000;

/** One config that this process works on. */
interface Run {
  readonly ref: PushRef;
  /** Of the pump that runs. */
  abort: AbortController;
  /** Version that the task is known to have come to. */
  version: number;
  /** The config itself was made, replaced or sent back since it was claimed. */
  isChanged: boolean;
  claim?: PushClaim;
  done: Promise<void>;
}

/**
 * Starts a pump for each webhook that has something to deliver, in this process or left over from another.
 *
 * - Woken by the bus for what is written here, and by looking into the store for retries that are due, for what other processes left
 *   behind, and for tasks whose webhooks were registered elsewhere. A lost wake-up costs latency only.
 * - One pump a config. Pumps do not wait for each other, and nothing that runs a task waits for any of them.
 */
export class PushNotificationDispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #runs = new Map<string, Run>();
  readonly #known = new KnownWebhooks();
  /** Keys of tasks that went on and whose webhooks, if any, are not known here. */
  readonly #unknown = new Set<string>();
  readonly #ending = new AbortController();
  readonly #stopped = new AbortController();
  #timer?: NodeJS.Timeout;
  #looking?: Promise<void>;
  #hasLooked = false;
  #comingBack = 0;
  #behindFrom = 0;
  #renewedAtMs = 0;

  constructor(
    private readonly services: PumpServices,
    private readonly bus: TaskEventBus,
  ) {
    // Every wait of every pump listens to the end; that is no leak.
    setMaxListeners(0, this.#ending.signal, this.#stopped.signal);
  }

  onApplicationBootstrap(): void {
    const unsubscribe = this.bus.subscribeAll((key, version) => this.#heard(key, version));
    this.#ending.signal.addEventListener('abort', unsubscribe, { once: true });
    this.#timer = setInterval(() => this.#lookAgain(), this.services.settings.lookMs).unref();
    this.#lookAgain();
  }

  /** After the last turn was drained and before the store closes: lets go of everything, so that another process can go on at once. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    const patience = new AbortController();
    const grace = this.services.clock.sleep(LAST_GRACE_MS, patience.signal).catch(() => undefined);
    await Promise.race([this.#allDone(), grace]);
    patience.abort();
    this.#stopped.abort();
    await Promise.all([this.#allDone(), this.#looking]);
  }

  /** A config was made, replaced or sent back. */
  wake(ref: PushRef): void {
    this.#start(ref, 0, true);
  }

  /** A config was deleted: what is on its way to it is cut off. */
  forget(ref: PushRef): void {
    this.#known.delete(ref);
    this.#runs.get(keyOf(ref))?.abort.abort();
  }

  #heard(key: string, version: number): void {
    const configs = this.#known.of(key);
    if (configs) for (const ref of configs) this.#start(ref, version);
    else if (this.services.agents.find(parseTaskKey(key).scope.agentId)?.options.pushNotifications) this.#unknown.add(key);
  }

  #start(ref: PushRef, version: number, isChanged = false): void {
    if (this.#ending.signal.aborted) return;
    const key = keyOf(ref);
    const running = this.#runs.get(key);
    if (running) {
      running.version = Math.max(running.version, version);
      running.isChanged ||= isChanged;
      return;
    }
    this.#known.add(ref);
    const run: Run = { ref, version, isChanged, abort: new AbortController(), done: Promise.resolve() };
    this.#runs.set(key, run);
    run.done = this.#run(run);
  }

  /** Ends in the same moment in which it finds that it was not woken meanwhile. */
  async #run(run: Run): Promise<void> {
    try {
      let end: PumpEnd | undefined;
      do {
        run.isChanged = false;
        end = await this.#pump(run);
      } while (run.isChanged || (end?.kind === 'parked' && run.version > end.cursor));
    } catch (error) {
      const { scope, taskId, configId } = run.ref;
      this.services.logger.warn('A webhook has to wait for the store', { agentId: scope.agentId, taskId, configId, error });
    } finally {
      this.#runs.delete(keyOf(run.ref));
    }
  }

  async #pump(run: Run): Promise<PumpEnd | undefined> {
    const { repository, settings } = this.services;
    run.abort = new AbortController();
    run.claim = await repository.claim(run.ref, randomUUID(), settings.leaseMs);
    if (!run.claim) return undefined;
    const ended = AbortSignal.any([this.#stopped.signal, run.abort.signal]);
    const end = await new PushPump(this.services, run.claim, { ending: this.#ending.signal, ended }).run();
    run.claim = undefined;
    if (end.kind === 'finished' || end.kind === 'disabled') this.#known.delete(run.ref);
    if (end.kind === 'retry') void this.#comeBack(run.ref, end.delayMs ?? 0);
    return end;
  }

  async #comeBack(ref: PushRef, delayMs: number): Promise<void> {
    if (this.#comingBack >= COMING_BACK) return;
    this.#comingBack++;
    await this.services.clock.sleep(delayMs, this.#ending.signal).then(
      () => this.#start(ref, 0, true),
      () => undefined,
    );
    this.#comingBack--;
  }

  /** One look at a time. */
  #lookAgain(): void {
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.services.logger.warn('Could not look for webhooks that are due', { error }))
      .finally(() => (this.#looking = undefined));
  }

  async #look(): Promise<void> {
    const { repository, gate } = this.services;
    await this.#renew();
    const keys = [...this.#unknown].slice(0, AT_ONCE);
    for (const key of keys) this.#unknown.delete(key);
    if (keys.length > 0) this.#startAll(await repository.findActive(keys.map(parseTaskKey)));
    this.#startAll(await repository.findDue(AT_ONCE));
    await this.#startBehind(this.#hasLooked ? 1 : Infinity);
    this.#hasLooked = true;
    gate.tidy();
  }

  /** Goes through the parked configs, some pages at a time. */
  async #startBehind(pages: number): Promise<void> {
    for (let page = 1; page <= pages; page++) {
      const { items, next = 0 } = await this.services.repository.findBehind(this.#behindFrom, AT_ONCE);
      this.#startAll(items);
      this.#behindFrom = next;
      if (next === 0) return;
    }
  }

  #startAll(refs: readonly PushRef[]): void {
    for (const ref of refs) this.#start(ref, 0);
  }

  /** Keeps what this process works on, and cuts off what it has lost. */
  async #renew(): Promise<void> {
    const { repository, clock, settings } = this.services;
    if (clock.now() - this.#renewedAtMs < settings.leaseMs / RENEWALS_A_LEASE) return;
    this.#renewedAtMs = clock.now();
    const claims = [...this.#runs.values()].flatMap(({ claim }) => (claim ? [claim] : []));
    if (claims.length === 0) return;
    const held = await repository.renew(claims, settings.leaseMs);
    for (const { ref, holder } of claims) {
      const run = this.#runs.get(keyOf(ref));
      if (run?.claim?.holder === holder && !held.has(holder)) run.abort.abort();
    }
  }

  async #allDone(): Promise<void> {
    await Promise.all([...this.#runs.values()].map(({ done }) => done));
  }
}

function keyOf({ scope, taskId, configId }: PushRef): string {
  return JSON.stringify([taskKey(scope, taskId), configId]);
}
