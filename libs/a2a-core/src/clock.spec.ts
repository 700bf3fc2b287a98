import { type Clock, SystemClock } from './clock.js';
import { ManualClock } from './testing/manual-clock.js';

describe('a clock', () => {
  const wakesUnlessCalledOff = async (clock: Clock, advance: (ms: number) => unknown): Promise<void> => {
    const woken: string[] = [];
    clock.after(1_000, () => woken.push('kept'));
    clock.after(1_000, () => woken.push('called off'))();
    await advance(999);
    expect(woken).toEqual([]);
    await advance(1);
    expect(woken).toEqual(['kept']);
  };

  it('of the system wakes once the time is over, unless it was called off', async () => {
    jest.useFakeTimers();
    await wakesUnlessCalledOff(new SystemClock(), (ms) => jest.advanceTimersByTimeAsync(ms));
    jest.useRealTimers();
  });

  it('of a test does so by its own sleep', async () => {
    const clock = new ManualClock();
    await wakesUnlessCalledOff(clock, (ms) => clock.advance(ms));
  });
});
