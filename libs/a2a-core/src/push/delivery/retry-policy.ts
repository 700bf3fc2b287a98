/** As long as the longest wait of the table: a receiver may ask for the hours it is down, not for a place in the store for ever. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;
const JITTER = 0.2;
const HTTP_DATE = /^[A-Z][a-z]{2,8}, .* GMT$/;

/** When a delivery that failed is tried again. */
export class RetryPolicy {
  /** @param random 0 up to 1, for tests */
  constructor(
    private readonly delaysMs: readonly number[],
    private readonly random: () => number = Math.random,
  ) {}

  /**
   * @param failures attempts of the event that have failed, at least 1
   * @param askedMs what the receiver asked for; believed up to a day
   * @returns milliseconds; undefined when there is no further attempt
   */
  delayMs(failures: number, askedMs = 0): number | undefined {
    const planned = this.delaysMs[failures - 1];
    if (planned === undefined) return undefined;
    return Math.round(Math.max(this.spread(planned), Math.min(askedMs, MAX_RETRY_AFTER_MS)));
  }

  /** Up to a fifth more or less, so that those who failed together do not come back together. */
  spread(ms: number): number {
    return Math.round(ms * (1 - JITTER + 2 * JITTER * this.random()));
  }
}

/** `Retry-After` as milliseconds from now (RFC 9110 §10.2.3); undefined when absent or of no known form. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (!value) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = HTTP_DATE.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
