import { Housekeeping } from './housekeeping.js';

describe('Housekeeping', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('forgets in short steps, as long as there is more to forget', async () => {
    const limits: number[] = [];
    let left = 2_500;
    const housekeeping = new Housekeeping(async (limit) => {
      limits.push(limit);
      const forgotten = Math.min(limit, left);
      left -= forgotten;
      return forgotten;
    });
    await housekeeping.sweep();
    expect([limits, left]).toEqual([[1_000, 1_000, 1_000], 0]);
    await housekeeping.stop();
  });

  it('goes on at the next time after a failure, and ends when it is stopped', async () => {
    const forget = jest.fn<Promise<number>, [number]>().mockRejectedValueOnce(new Error('away')).mockResolvedValue(0);
    const housekeeping = new Housekeeping(forget);
    await jest.advanceTimersByTimeAsync(10 * 60 * 1000);
    await jest.advanceTimersByTimeAsync(10 * 60 * 1000);
    expect(forget).toHaveBeenCalledTimes(2);
    await housekeeping.stop();
    await jest.advanceTimersByTimeAsync(60 * 60 * 1000);
    expect(forget).toHaveBeenCalledTimes(2);
  });
});
