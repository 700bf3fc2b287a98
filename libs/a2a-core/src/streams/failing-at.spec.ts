import { ManualClock } from '../testing/manual-clock.js';
import { failingAt } from './failing-at.js';

/** Gives what it has and then waits for its reader to leave. */
class Source implements AsyncIterable<number> {
  left = 0;

  constructor(
    private readonly items: number[],
    private readonly ends: boolean,
  ) {}

  [Symbol.asyncIterator](): AsyncIterator<number> {
    return {
      next: () => {
        const value = this.items.shift();
        if (value !== undefined) return Promise.resolve({ done: false, value });
        return this.ends ? Promise.resolve({ done: true, value: undefined }) : new Promise(() => {});
      },
      return: async () => {
        this.left++;
        return { done: true, value: undefined };
      },
    };
  }
}

describe('failingAt', () => {
  const clock = new ManualClock();
  const late = (source: Source) => failingAt(source, clock.now() + 1_000, clock, () => new Error('too late'))[Symbol.asyncIterator]();

  it('gives the items and the end, and leaves no timer behind', async () => {
    const source = new Source([1, 2], true);
    const reader = late(source);
    expect([await reader.next(), await reader.next(), await reader.next()]).toEqual([
      { done: false, value: 1 },
      { done: false, value: 2 },
      { done: true, value: undefined },
    ]);
    await clock.advance(5_000);
    expect(source.left).toBe(0);
  });

  it('fails a reader that waits, tells the source, and stays failed [B18]', async () => {
    const source = new Source([1], false);
    const reader = late(source);
    await reader.next();
    const waiting = reader.next().catch((error: Error) => error.message);
    await clock.advance(999);
    expect(source.left).toBe(0);
    await clock.advance(1);
    expect(await waiting).toBe('too late');
    expect(source.left).toBe(1);
    await expect(reader.next()).rejects.toThrow('too late');
  });

  it('fails a reader that comes for the next item too late [B18]', async () => {
    const reader = late(new Source([1, 2], false));
    await reader.next();
    await clock.advance(1_000);
    await expect(reader.next()).rejects.toThrow('too late');
  });

  it('waits longer than any timer of Node can count', async () => {
    const source = new Source([], false);
    const reader = failingAt(source, clock.now() + 2 ** 32, clock, () => new Error('too late'))[Symbol.asyncIterator]();
    const waiting = reader.next().catch((error: Error) => error.message);
    await clock.advance(2 ** 31);
    expect(source.left).toBe(0);
    await clock.advance(2 ** 31);
    expect(await waiting).toBe('too late');
  });

  it('tells the source when the reader leaves by itself', async () => {
    const source = new Source([1], false);
    const reader = late(source);
    await reader.next();
    await reader.return?.();
    await clock.advance(5_000);
    expect(source.left).toBe(1);
  });
});
