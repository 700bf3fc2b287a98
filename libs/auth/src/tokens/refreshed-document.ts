import { type Clock } from '@a2a/a2a-core';

/** How long a document of an identity provider is believed. Milliseconds. */
export interface Freshness {
  /** Older than this, it is fetched again in the background. Default 5 minutes. */
  readonly refreshAfterMs: number;
  /** Older than this, callers wait for a new one, and still get the old one when there is none to be had. Default 10 minutes. */
  readonly waitAfterMs: number;
  /** Older than this, it is no longer believed at all. Default 24 hours. */
  readonly staleAfterMs: number;
  /** Least time between two fetches, successful or not. Default 30 seconds. */
  readonly cooldownMs: number;
}

export const DEFAULT_FRESHNESS: Freshness = {
  refreshAfterMs: 300_000,
  waitAfterMs: 600_000,
  staleAfterMs: 86_400_000,
  cooldownMs: 30_000,
};

/** No document, and none to be had right now. */
export class DocumentUnavailable extends Error {
  constructor(url: string, cause: unknown) {
    super(`Nothing usable from ${url}`, { cause });
    this.name = 'DocumentUnavailable';
  }
}

/**
 * A document fetched from elsewhere and kept.
 *
 * - However many callers ask, and however wrong their tokens are, it is fetched at most once in each cool-down.
 * - A fetch that fails changes nothing while the old document is believed.
 * - Nobody waits for a background fetch, and nobody waits for more than one.
 */
export class RefreshedDocument<T> {
  private known: { readonly value: T; readonly fetchedAtMs: number } | undefined;
  private running: Promise<void> | undefined;
  private lastAttemptMs = Number.NEGATIVE_INFINITY;
  private lastError: unknown;
  /** Grows with each reload, so that a fetch begun before it cannot bring back what it threw away. */
  private generation = 0;

  constructor(
    readonly url: string,
    private readonly fetch: () => Promise<T>,
    private readonly clock: Clock,
    private readonly freshness: Freshness = DEFAULT_FRESHNESS,
  ) {}

  /** The last fetch failed, so what is not in the document may exist all the same. */
  get isFailing(): boolean {
    return this.lastError !== undefined;
  }

  /** @throws {DocumentUnavailable} */
  async current(): Promise<T> {
    const age = this.ageMs();
    if (age > this.freshness.waitAfterMs) await this.refresh();
    else if (age > this.freshness.refreshAfterMs) void this.refresh();
    return this.believed();
  }

  /**
   * For a caller that missed something in the document: fetches once more if the cool-down allows.
   *
   * @throws {DocumentUnavailable}
   */
  async afterRefresh(): Promise<T> {
    await this.refresh();
    return this.believed();
  }

  /**
   * Throws the document away and fetches it at once, whatever the cool-down says. For a key that has to die now.
   *
   * @throws {DocumentUnavailable}
   */
  async reload(): Promise<T> {
    this.generation++;
    this.known = undefined;
    this.running = undefined;
    this.lastAttemptMs = Number.NEGATIVE_INFINITY;
    return this.afterRefresh();
  }

  private ageMs(): number {
    return this.known ? this.clock.now() - this.known.fetchedAtMs : Number.POSITIVE_INFINITY;
  }

  private believed(): T {
    if (!this.known || this.ageMs() > this.freshness.staleAfterMs) throw new DocumentUnavailable(this.url, this.lastError);
    return this.known.value;
  }

  private refresh(): Promise<void> {
    if (this.running) return this.running;
    if (this.clock.now() - this.lastAttemptMs < this.freshness.cooldownMs) return Promise.resolve();
    this.lastAttemptMs = this.clock.now();
    const running = this.fetchOnce(this.generation).finally(() => {
      if (this.running === running) this.running = undefined;
    });
    this.running = running;
    return running;
  }

  private async fetchOnce(generation: number): Promise<void> {
    try {
      const value = await this.fetch();
      if (generation !== this.generation) return;
      this.known = { value, fetchedAtMs: this.clock.now() };
      this.lastError = undefined;
    } catch (error) {
      if (generation === this.generation) this.lastError = error ?? new Error('unknown failure');
    }
  }
}
