import { type RateLimiterAbstract } from 'rate-limiter-flexible';

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
