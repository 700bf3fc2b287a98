import { ManualClock } from '../testing/manual-clock.js';
import { Patience } from './patience.js';

const NEVER = new Promise<void>(() => {});

describe('the patience of a blocking call', () => {
  let clock: ManualClock;
  let caller: AbortController;
  let patience: Patience;

  beforeEach(() => {
    clock = new ManualClock();
    caller = new AbortController();
    patience = new Patience(clock, 1_000, caller.signal);
  });
  afterEach(() => patience.end());

  it('waits for what it is given, and is not lost by that', async () => {
    expect(await patience.during(Promise.resolve('done'))).toBe('done');
    expect(patience.isLost).toBe(false);
  });

  it('is lost when the time is over, and not before [EXEC-04]', async () => {
    const waiting = patience.during(NEVER);
    await clock.advance(999);
    expect(patience.isLost).toBe(false);
    await clock.advance(1);
    await waiting;
    expect(patience.isLost).toBe(true);
  });

  it('is lost at once when the caller goes, or has gone', async () => {
    const waiting = patience.during(NEVER);
    caller.abort();
    await waiting;
    expect(patience.isLost).toBe(true);
    expect(new Patience(clock, 1_000, caller.signal).isLost).toBe(true);
  });

  it('tells whoever works for it, whether they asked before or after', () => {
    const before = patience.signal;
    caller.abort();
    expect(before.aborted).toBe(true);
    const late = new Patience(clock, 1_000, caller.signal);
    expect(late.signal.aborted).toBe(true);
  });

  it('passes on what goes wrong', async () => {
    await expect(patience.during(Promise.reject(new Error('store')))).rejects.toThrow('store');
  });

  it('leaves neither timer nor listener behind', async () => {
    const { signal } = patience;
    patience.end();
    expect(signal.aborted).toBe(true);
    await clock.advance(5_000);
    caller.abort();
    expect(patience.isLost).toBe(false);
  });
});
