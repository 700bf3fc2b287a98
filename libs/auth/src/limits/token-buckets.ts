import { type Clock, type Rate } from '@a2a/a2a-core';
import { GRANTED, RateCounter, type Spent } from './rate-counter.js';

interface Bucket {
  /** Points left at `atMs`; below zero after something that cost more than a whole bucket. */
  points: number;
  atMs: number;
  /** When a refusal was told of last. */
  toldAtMs: number;
}

/** Points grow in fractions: what is this little short of a whole point is one. */
const ROUNDING = 1e-6;

/**
 * Token buckets in this process: a name may spend its points at once and gets them back steadily, all of them in `seconds`.
 *
 * - What costs more than a whole bucket is let through when the bucket is full, and is paid back before anything else is.
 * - At most `maxNames` buckets are kept. The one that was spent from longest ago is forgotten, so that a caller who invents names cannot
 *   fill memory with them.
 */
export class TokenBuckets extends RateCounter {
  /** The one spent from last at the end. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    private readonly rate: Rate,
    private readonly maxNames: number,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** Names counted right now. */
  get size(): number {
    return this.#buckets.size;
  }

  async spend(name: string, points: number): Promise<Spent> {
    const now = this.clock.now();
    const bucket = this.#buckets.get(name) ?? { points: this.rate.points, atMs: now, toldAtMs: Number.NEGATIVE_INFINITY };
    this.#keep(name, bucket);
    bucket.points = this.#pointsAt(bucket, now);
    bucket.atMs = now;
    const waitSeconds = this.#secondsUntil(points, bucket.points);
    if (waitSeconds > 0) return { waitSeconds, isFirstRefusal: this.#tell(bucket, now) };
    bucket.points -= points;
    return GRANTED;
  }

  async waitOf(name: string): Promise<number> {
    const bucket = this.#buckets.get(name);
    return bucket ? this.#secondsUntil(1, this.#pointsAt(bucket, this.clock.now())) : 0;
  }

  #keep(name: string, bucket: Bucket): void {
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > this.maxNames && oldest !== undefined) this.#buckets.delete(oldest);
  }

  /** A clock that is set back takes nothing away. */
  #pointsAt({ points, atMs }: Bucket, now: number): number {
    const elapsedSeconds = Math.max(0, now - atMs) / 1_000;
    return Math.min(this.rate.points, points + (elapsedSeconds * this.rate.points) / this.rate.seconds);
  }

  #secondsUntil(points: number, left: number): number {
    const missing = Math.min(points, this.rate.points) - left - ROUNDING;
    return missing > 0 ? Math.max(1, Math.ceil((missing * this.rate.seconds) / this.rate.points)) : 0;
  }

  #tell(bucket: Bucket, now: number): boolean {
    if (now - bucket.toldAtMs < this.rate.seconds * 1_000) return false;
    bucket.toldAtMs = now;
    return true;
  }
}
