import { Clock } from '@a2a/a2a-core';

/** Time that passes when a test says so. */
export class FakeClock extends Clock {
  constructor(private nowMs = Date.parse('2026-11-30T12:00:00Z')) {
    super();
  }

  now(): number {
    return this.nowMs;
  }

  get seconds(): number {
    return Math.floor(this.nowMs / 1_000);
  }

  advance(ms: number): void {
    this.nowMs += ms;
  }

  async sleep(ms: number): Promise<void> {
    this.advance(ms);
  }
}
