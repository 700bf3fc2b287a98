import { type Clock, SystemClock } from './clock.js';
import { ManualClock } from './testing/manual-clock.js';

describe('a clock', () => {
  /** Who was woken just before the time was over, and when it was. */
  const wakings = async (clock: Clock, advance: (ms: number) => unknown): Promise<[before: string[], after: string[]]> => {
    const woken: string[] = [];
    clock.after(1_000, () => woken.push('kept'));
    clock.after(1_000, () => woken.push('called off'))();
    await advance(999);
    const before = [...woken];
    await advance(1);
    return [before, woken];
  };

  it('of the system wakes once the time is over, unless it was called off', async () => {
    jest.useFakeTimers();
    expect(await wakings(new SystemClock(), (ms) => jest.advanceTimersByTimeAsync(ms))).toEqual([[], ['kept']]);
    jest.useRealTimers();
  });

  it('of a test does so by its own sleep', async () => {
    const clock = new ManualClock();
    expect(await wakings(clock, (ms) => clock.advance(ms))).toEqual([[], ['kept']]);
  });
});
