import { FakeClock } from '../../test/support/fake-clock.js';
import { RefreshedDocument } from './refreshed-document.js';

const SECOND = 1_000;

/** Fetches that end when the test says so. */
function slow() {
  const ends: { resolve: (value: string) => void; reject: (error: unknown) => void }[] = [];
  const clock = new FakeClock();
  const fetch = (): Promise<string> => new Promise((resolve, reject) => ends.push({ resolve, reject }));
  return { ends, clock, document: new RefreshedDocument('https://a.example', fetch, clock) };
}

describe('a document that is kept', () => {
  it('is fetched once for everybody who waits for it', async () => {
    const { ends, document } = slow();
    const waiting = Promise.all([document.current(), document.current(), document.afterRefresh()]);
    ends[0]?.resolve('one');
    expect(await waiting).toEqual(['one', 'one', 'one']);
    expect(ends).toHaveLength(1);
  });

  it('is given out while it is refreshed in the background', async () => {
    const { ends, clock, document } = slow();
    const first = document.current();
    ends[0]?.resolve('one');
    await first;
    clock.advance(301 * SECOND);
    expect(await document.current()).toBe('one');
    expect(ends).toHaveLength(2);
    ends[1]?.resolve('two');
    await Promise.resolve();
    expect(await document.current()).toBe('two');
  });

  it('survives a refresh that fails, and remembers that it did', async () => {
    const { ends, clock, document } = slow();
    const first = document.current();
    ends[0]?.resolve('one');
    await first;
    clock.advance(601 * SECOND);
    const second = document.current();
    ends[1]?.reject(new Error('down'));
    expect(await second).toBe('one');
    expect(document.isFailing).toBe(true);
  });

  it('does not come back after a reload, even from a fetch that began before it', async () => {
    const { ends, clock, document } = slow();
    const first = document.current();
    ends[0]?.resolve('old');
    await first;
    clock.advance(301 * SECOND);
    await document.current();
    const reloaded = document.reload();
    ends[1]?.resolve('old again');
    ends[2]?.resolve('new');
    expect(await reloaded).toBe('new');
    expect(await document.current()).toBe('new');
  });

  it('is unavailable after a reload that failed, for the rest of the cool-down', async () => {
    const { ends, clock, document } = slow();
    const first = document.current();
    ends[0]?.resolve('old');
    await first;
    const reloaded = document.reload();
    ends[1]?.reject(new Error('down'));
    await expect(reloaded).rejects.toThrow('Nothing usable from https://a.example');
    await expect(document.current()).rejects.toThrow('Nothing usable');
    expect(ends).toHaveLength(2);
    clock.advance(30 * SECOND);
    const again = document.current();
    ends[2]?.resolve('new');
    expect(await again).toBe('new');
  });
});
