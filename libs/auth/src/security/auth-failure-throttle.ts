import { Injectable } from '@nestjs/common';
import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';
import { A2aAuthOptions } from '../auth.options.js';

/** How guessing is slowed down. The defaults are Keycloak's. */
export interface AuthFailureLimits {
  /** Failures before the first wait. Default 30. */
  readonly failures: number;
  /** The first wait, and what each further failure adds. Default 60. */
  readonly waitSeconds: number;
  /** Longest wait. Default 900. */
  readonly maxWaitSeconds: number;
  /** How long failures are remembered. Default 43 200. */
  readonly memorySeconds: number;
  /** Where counts live; share one among replicas. Default: in this process. */
  readonly failureStore?: RateLimiterAbstract;
  /** Where waits live. Default: in this process. */
  readonly waitStore?: RateLimiterAbstract;
}

const DEFAULTS: AuthFailureLimits = { failures: 30, waitSeconds: 60, maxWaitSeconds: 900, memorySeconds: 43_200 };

/** Keys watched at once; beyond it the one that failed longest ago is forgotten. Bounds the memory an attacker can take. */
const MAX_KEYS = 50_000;

/**
 * Makes guessing secrets slow. Counts failures only: who never fails is never held up, except behind an address that is waiting.
 *
 * Keys name an address, never a user alone, so nobody can lock out somebody else.
 */
@Injectable()
export class AuthFailureThrottle {
  readonly #limits: AuthFailureLimits;
  readonly #failures: RateLimiterAbstract;
  readonly #waits: RateLimiterAbstract;
  readonly #keys = new Set<string>();

  constructor(options: A2aAuthOptions) {
    this.#limits = { ...DEFAULTS, ...options.authFailures };
    this.#failures =
      this.#limits.failureStore ?? new RateLimiterMemory({ points: this.#limits.failures, duration: this.#limits.memorySeconds });
    this.#waits = this.#limits.waitStore ?? new RateLimiterMemory({ points: 1, duration: this.#limits.maxWaitSeconds });
  }

  /** @returns seconds until `key` may try again; 0 for now */
  async waitOf(key: string): Promise<number> {
    if (this.#limits.waitStore === undefined && !this.#keys.has(key)) return 0;
    const wait = await this.#waits.get(key);
    return wait && wait.msBeforeNext > 0 ? Math.ceil(wait.msBeforeNext / 1_000) : 0;
  }

  async countFailure(key: string): Promise<void> {
    await this.remember(key);
    const { consumedPoints } = await this.#failures.penalty(key);
    const beyond = consumedPoints - this.#limits.failures;
    if (beyond < 0) return;
    await this.#waits.block(key, Math.min((beyond + 1) * this.#limits.waitSeconds, this.#limits.maxWaitSeconds));
  }

  async forget(key: string): Promise<void> {
    if (!this.#keys.delete(key) && this.#limits.failureStore === undefined) return;
    await this.#failures.delete(key);
  }

  private async remember(key: string): Promise<void> {
    this.#keys.delete(key);
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > MAX_KEYS && oldest !== undefined) {
      this.#keys.delete(oldest);
      await Promise.all([this.#failures.delete(oldest), this.#waits.delete(oldest)]);
    }
  }
}
