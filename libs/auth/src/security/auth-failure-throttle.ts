import { Injectable } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';
import { A2aAuthOptions } from '../auth.options.js';
import { AttemptTurns } from './attempt-turns.js';
import { type AuthFailureLimits } from './auth-failure.limits.js';

const DEFAULTS: AuthFailureLimits = { failures: 30, waitSeconds: 60, maxWaitSeconds: 900, memorySeconds: 43_200 };

/** Keys watched at once; beyond it the one that failed longest ago is forgotten. Bounds the memory an attacker can take. */
const MAX_KEYS = 50_000;

/** Longest wait for a turn, and what a caller that got none is told to wait. Seconds. */
const TURN_SECONDS = 5;

/** What a key has failed in this process. */
interface Failed {
  readonly failures: number;
  readonly untilMs: number;
}

/** Somebody shows a secret under a key. Has to be ended, one way or the other. */
export interface Attempt {
  /** Seconds until the key may try again; 0 for now. */
  readonly retryAfterSeconds: number;
  /** The secret was wrong. */
  fail(): Promise<void>;
  /** It was right, or nobody can tell. */
  end(): void;
}

/**
 * Makes guessing secrets slow. Counts failures only: who never fails is never held up, except behind an address that is waiting.
 *
 * - Keys name an address, never a user alone, so nobody can lock out somebody else.
 * - Under one key no more attempts are judged at once than may still fail, so guessing side by side gives no more guesses than one after
 *   the other. The others wait for their turn.
 */
@Injectable()
export class AuthFailureThrottle {
  readonly #limits: AuthFailureLimits;
  readonly #failures: RateLimiterAbstract;
  readonly #waits: RateLimiterAbstract;
  /** Failures of each key in this process, the one that failed last at the end. */
  readonly #failed = new Map<string, Failed>();
  readonly #turns = new AttemptTurns((key) => Math.max(1, this.#limits.failures - this.#failuresOf(key)), TURN_SECONDS * 1_000);

  constructor(options: A2aAuthOptions) {
    this.#limits = { ...DEFAULTS, ...options.authFailures };
    this.#failures =
      this.#limits.failureStore ?? new RateLimiterMemory({ points: this.#limits.failures, duration: this.#limits.memorySeconds });
    this.#waits = this.#limits.waitStore ?? new RateLimiterMemory({ points: 1, duration: this.#limits.maxWaitSeconds });
  }

  /**
   * Waits for a turn, five seconds at most, then says whether the key has to wait longer.
   *
   * @throws whatever a shared store fails with
   */
  async begin(key: string): Promise<Attempt> {
    const end = await this.#turns.take(key);
    if (!end) return { retryAfterSeconds: TURN_SECONDS, fail: async () => undefined, end: () => undefined };
    const fail = (): Promise<void> => this.#countFailure(key).finally(end);
    try {
      return { retryAfterSeconds: await this.#waitOf(key), fail, end };
    } catch (error) {
      end();
      throw error;
    }
  }

  async forget(key: string): Promise<void> {
    if (!this.#failed.delete(key) && this.#limits.failureStore === undefined) return;
    await this.#failures.delete(key);
  }

  async #waitOf(key: string): Promise<number> {
    if (this.#limits.waitStore === undefined && !this.#failed.has(key)) return 0;
    const wait = await this.#waits.get(key);
    return wait && wait.msBeforeNext > 0 ? Math.ceil(wait.msBeforeNext / 1_000) : 0;
  }

  async #countFailure(key: string): Promise<void> {
    await this.#remember(key);
    const { consumedPoints } = await this.#failures.penalty(key);
    const beyond = consumedPoints - this.#limits.failures;
    if (beyond < 0) return;
    await this.#waits.block(key, Math.min((beyond + 1) * this.#limits.waitSeconds, this.#limits.maxWaitSeconds));
  }

  #failuresOf(key: string): number {
    const failed = this.#failed.get(key);
    return failed && failed.untilMs > Date.now() ? failed.failures : 0;
  }

  async #remember(key: string): Promise<void> {
    const failures = this.#failuresOf(key) + 1;
    const untilMs = failures === 1 ? Date.now() + this.#limits.memorySeconds * 1_000 : (this.#failed.get(key)?.untilMs ?? 0);
    this.#failed.delete(key);
    this.#failed.set(key, { failures, untilMs });
    const [oldest] = this.#failed.keys();
    if (this.#failed.size > MAX_KEYS && oldest !== undefined) {
      this.#failed.delete(oldest);
      await Promise.all([this.#failures.delete(oldest), this.#waits.delete(oldest)]);
    }
  }
}
