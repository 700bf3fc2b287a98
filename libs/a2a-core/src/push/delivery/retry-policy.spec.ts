import { parseRetryAfter, RetryPolicy } from './retry-policy.js';
import { DEFAULT_PUSH_OPTIONS } from '../push.options.js';

describe('retries', () => {
  const middle = new RetryPolicy(DEFAULT_PUSH_OPTIONS.retryDelaysMs, () => 0.5);

  it('follow the table of Standard Webhooks over three days, and end', () => {
    const delays = Array.from({ length: 10 }, (_, index) => middle.delayMs(index + 1));
    expect(delays.at(-1)).toBeUndefined();
    const hours = delays.slice(0, -1).reduce<number>((sum, delay) => sum + (delay ?? 0), 0) / 3_600_000;
    expect(hours).toBeCloseTo(75.6, 1);
  });

  it('are spread by a fifth', () => {
    expect([0, 0.999999].map((random) => new RetryPolicy([100_000], () => random).delayMs(1))).toEqual([80_000, 120_000]);
  });

  it('wait for what the receiver asks, up to a day', () => {
    expect(middle.delayMs(1, 60_000)).toBe(60_000);
    expect(middle.delayMs(1, 1)).toBe(5_000);
    expect(middle.delayMs(1, 7_200_000)).toBe(7_200_000);
    expect(middle.delayMs(1, 864_000_000)).toBe(86_400_000);
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-11-30T12:00:00Z');

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Mon, 30 Nov 2026 12:01:00 GMT', 60_000],
    ['Mon, 30 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j means %j', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });
});
