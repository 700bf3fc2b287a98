import { type Clock } from '../../clock.js';
import { Deferred } from '../../execution/deferred.js';
import { type A2aLogger } from '../../logging.js';

/** Who waits costs a few kilobytes; who is sent away costs two writes each time. */
const WAITING_PER_HOST = 1_000;
const WAITING = 10_000;
/** Every host gets these, however many wait for others. */
const WAITING_ALWAYS = 64;
/** Under concurrency many failures in a row may be one moment; a host that is down has had no success for a while. */
const FAILING_FOR_MS = 10_000;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 300_000;
const LONGEST_POSTPONEMENT_MS = 60_000;
const SECOND_MS = 1_000;

export interface GateLimits {
  readonly concurrency: number;
  readonly hostConcurrency: number;
  readonly hostRate: number;
  readonly hostFailures: number;
}

/** A way in. `leave` must be called once, with whether the host answered as one that works. */
export interface Pass {
  readonly kind: 'pass';
  leave(worked: boolean): void;
}

/** Not now; ask again in `delayMs`. */
export interface Postponed {
  readonly kind: 'postponed';
  readonly delayMs: number;
}

type Entry = Deferred<Pass | Postponed>;

interface Target {
  readonly host: string;
  readonly waiting: Set<Entry>;
  /** Moments within the last second, oldest first. */
  readonly starts: number[];
  running: number;
  /** In a row. */
  failures: number;
  /** The last success, or the first try. */
  workedAtMs: number;
  isComingBack: boolean;
  /** Until when the host is left alone. */
  pausedUntilMs: number;
  pauseMs: number;
  lastUsedMs: number;
}

/**
 * Lets deliveries out, a few at a time for each host, so that this host is nobody's amplifier (A2A §13.2).
 *
 * - Hosts do not wait for each other: one that hangs or is down costs the others nothing but its own few places.
 * - A host that has only failed for some time is left alone for a while; then one delivery tries, and the others follow when it works.
 *   The log says when that begins and ends.
 * - Only so many wait here; more are sent away with a time to come back, so that memory does not grow with what is owed.
 */
export class TargetGate {
  readonly #targets = new Map<string, Target>();
  #running = 0;
  #waiting = 0;

  constructor(
    private readonly clock: Clock,
    private readonly limits: GateLimits,
    private readonly logger: A2aLogger,
  ) {}

  /**
   * @param host with its port
   * @param signal ends the waiting, as postponed
   */
  async enter(host: string, signal: AbortSignal): Promise<Pass | Postponed> {
    const target = this.#target(host);
    const ahead = target.waiting.size;
    const isFull = ahead >= WAITING_PER_HOST || (ahead >= WAITING_ALWAYS && this.#waiting >= WAITING);
    if (isFull) return postponed(Math.max(SECOND_MS, (ahead * SECOND_MS) / this.limits.hostRate));
    if (signal.aborted) return postponed(0);
    const entry: Entry = new Deferred();
    const giveUp = (): void => {
      target.waiting.delete(entry);
      entry.resolve(postponed(0));
    };
    target.waiting.add(entry);
    this.#waiting++;
    signal.addEventListener('abort', giveUp, { once: true });
    this.#admit(target);
    return entry.promise.finally(() => {
      this.#waiting--;
      signal.removeEventListener('abort', giveUp);
    });
  }

  /** Forgets hosts that nobody asked for in a while. */
  tidy(): void {
    const oldest = this.clock.now() - 2 * LONGEST_PAUSE_MS;
    for (const [host, { running, waiting, lastUsedMs }] of this.#targets) {
      if (running === 0 && waiting.size === 0 && lastUsedMs < oldest) this.#targets.delete(host);
    }
  }

  #target(host: string): Target {
    const now = this.clock.now();
    const target = this.#targets.get(host) ?? newTarget(host, now);
    target.lastUsedMs = now;
    this.#targets.set(host, target);
    return target;
  }

  #admit(target: Target): void {
    for (const entry of target.waiting) {
      const pauseMs = this.#pauseLeft(target);
      if (pauseMs > 0) return sendAway(target, pauseMs);
      if (target.running >= this.limits.hostConcurrency || this.#running >= this.limits.concurrency) return;
      const waitMs = this.#rateLeft(target);
      if (waitMs > 0) return this.#comeBack(target, waitMs);
      target.waiting.delete(entry);
      entry.resolve(this.#pass(target));
    }
  }

  /** While a host is failing, one delivery at a time tries it. */
  #pauseLeft(target: Target): number {
    if (!this.#isFailing(target)) return 0;
    return target.running > 0 ? SECOND_MS : target.pausedUntilMs - this.clock.now();
  }

  #rateLeft({ starts }: Target): number {
    const now = this.clock.now();
    while (starts[0] !== undefined && starts[0] <= now - SECOND_MS) starts.shift();
    const [oldest] = starts;
    return oldest === undefined || starts.length < this.limits.hostRate ? 0 : oldest + SECOND_MS - now;
  }

  #pass(target: Target): Pass {
    target.running++;
    this.#running++;
    target.starts.push(this.clock.now());
    return { kind: 'pass', leave: (worked) => this.#leave(target, worked) };
  }

  #leave(target: Target, worked: boolean): void {
    const wasFull = this.#running >= this.limits.concurrency;
    target.running--;
    this.#running--;
    this.#judge(target, worked);
    this.#admit(target);
    if (wasFull) for (const other of this.#targets.values()) this.#admit(other);
  }

  #isFailing({ failures, workedAtMs }: Target): boolean {
    return failures >= this.limits.hostFailures && this.clock.now() - workedAtMs >= FAILING_FOR_MS;
  }

  #judge(target: Target, worked: boolean): void {
    const now = this.clock.now();
    const { host } = target;
    if (worked) {
      if (target.pausedUntilMs > 0) this.logger.info('A host of webhooks works again', { host });
      Object.assign(target, { failures: 0, workedAtMs: now, pausedUntilMs: 0, pauseMs: FIRST_PAUSE_MS });
      return;
    }
    target.failures++;
    if (!this.#isFailing(target) || target.pausedUntilMs > now) return;
    const { failures, pauseMs } = target;
    this.logger.warn('A host of webhooks only fails: it is left alone, then tried with one delivery', { host, failures, pauseMs });
    target.pausedUntilMs = now + pauseMs;
    target.pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }

  #comeBack(target: Target, delayMs: number): void {
    if (target.isComingBack) return;
    target.isComingBack = true;
    void this.clock.sleep(delayMs).then(() => {
      target.isComingBack = false;
      this.#admit(target);
    });
  }
}

function newTarget(host: string, nowMs: number): Target {
  return {
    host,
    waiting: new Set(),
    starts: [],
    running: 0,
    failures: 0,
    workedAtMs: nowMs,
    isComingBack: false,
    pausedUntilMs: 0,
    pauseMs: FIRST_PAUSE_MS,
    lastUsedMs: 0,
  };
}

function sendAway({ waiting }: Target, delayMs: number): void {
  for (const entry of waiting) entry.resolve(postponed(delayMs));
  waiting.clear();
}

function postponed(delayMs: number): Postponed {
  return { kind: 'postponed', delayMs: Math.min(Math.max(0, Math.ceil(delayMs)), LONGEST_POSTPONEMENT_MS) };
}
