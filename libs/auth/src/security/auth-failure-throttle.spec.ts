import { AuthFailureThrottle } from './auth-failure-throttle.js';

describe('the throttle of failed authentication [SEC-14]', () => {
  const throttleOf = (authFailures: object): AuthFailureThrottle => new AuthFailureThrottle({ schemes: {}, authFailures });

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('lets two calls go on that hold what the other waits for [A24]', async () => {
    const throttle = throttleOf({ failures: 1 });
    const [a, b] = [await throttle.begin('a'), await throttle.begin('b')];
    const crossed = Promise.all([throttle.begin('b'), throttle.begin('a')]);
    await jest.advanceTimersByTimeAsync(5_000);
    expect((await crossed).map(({ retryAfterSeconds }) => retryAfterSeconds)).toEqual([5, 5]);
    a.end();
    b.end();
    expect((await throttle.begin('a')).retryAfterSeconds).toBe(0);
    expect((await throttle.begin('b')).retryAfterSeconds).toBe(0);
  });

  it('gives a turn to whoever waits next, and none to one that has given up', async () => {
    const throttle = throttleOf({ failures: 1 });
    const first = await throttle.begin('a');
    const early = throttle.begin('a');
    await jest.advanceTimersByTimeAsync(4_000);
    const late = throttle.begin('a');
    await jest.advanceTimersByTimeAsync(1_000);
    expect((await early).retryAfterSeconds).toBe(5);
    first.end();
    expect((await late).retryAfterSeconds).toBe(0);
  });

  it('judges attempts side by side again when the failures are as old as they are remembered', async () => {
    const throttle = throttleOf({ failures: 3, waitSeconds: 10, memorySeconds: 60 });
    for (let failure = 0; failure < 3; failure++) await (await throttle.begin('a')).fail();
    const early = await throttle.begin('a');
    expect(early.retryAfterSeconds).toBe(10);
    early.end();
    await jest.advanceTimersByTimeAsync(60_000);
    const again = await Promise.all([throttle.begin('a'), throttle.begin('a'), throttle.begin('a')]);
    expect(again.map(({ retryAfterSeconds }) => retryAfterSeconds)).toEqual([0, 0, 0]);
  });
});
