import { type AuthRequest } from './auth-request.js';
import { CredentialsRefused } from './outcome.js';
import { runStrategy } from './run-strategy.js';

interface Calls {
  success(user: unknown): void;
  fail(challenge?: unknown, status?: number): void;
  error(error: unknown): void;
  pass(): void;
  redirect(): void;
}

const request = {} as AuthRequest;
const run = (authenticate: (this: Calls) => unknown) => runStrategy({ authenticate }, request);

describe('running one strategy', () => {
  it.each<[string, (this: Calls) => unknown, object]>([
    [
      'success',
      function () {
        this.success('bob');
      },
      { kind: 'verified', user: 'bob' },
    ],
    [
      'fail',
      function () {
        this.fail('no');
      },
      { kind: 'invalid' },
    ],
    [
      'fail with an error',
      function () {
        this.fail(new Error('jwt expired'));
      },
      { kind: 'invalid', reason: 'jwt expired' },
    ],
    [
      'fail with 400',
      function () {
        this.fail('no', 400);
      },
      { kind: 'malformed' },
    ],
    [
      'fail with nothing but a status',
      function () {
        this.fail(400);
      },
      { kind: 'malformed' },
    ],
    [
      'fail with 503',
      function () {
        this.fail(503);
      },
      { kind: 'unavailable' },
    ],
    [
      'fail with a refusal',
      function () {
        this.fail(CredentialsRefused.unavailable('keys'));
      },
      { kind: 'unavailable', reason: 'keys' },
    ],
    [
      'error',
      function () {
        this.error(new Error('down'));
      },
      { kind: 'unavailable' },
    ],
    [
      'error with a refusal',
      function () {
        this.error(CredentialsRefused.malformed('bad'));
      },
      { kind: 'malformed', reason: 'bad' },
    ],
    [
      'pass',
      function () {
        this.pass();
      },
      { kind: 'absent' },
    ],
    [
      'redirect',
      function () {
        this.redirect();
      },
      { kind: 'invalid' },
    ],
    [
      'a throw',
      () => {
        throw new Error('bug');
      },
      { kind: 'unavailable' },
    ],
    [
      'a rejection',
      async () => {
        throw CredentialsRefused.invalid('wrong');
      },
      { kind: 'invalid', reason: 'wrong' },
    ],
  ])('answers %s', async (_name, authenticate, expected) => {
    expect(await run(authenticate)).toMatchObject(expected);
  });

  it('takes the first of two answers', async () => {
    const result = await run(function () {
      this.fail('no');
      this.success('mallory');
    });
    expect(result.kind).toBe('invalid');
  });

  it('does not wait for ever for a strategy that says nothing', async () => {
    jest.useFakeTimers();
    const result = run(() => undefined);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await result).toEqual({ kind: 'unavailable', reason: 'the strategy did not answer' });
    jest.useRealTimers();
  });

  it('leaves no timer behind', async () => {
    jest.useFakeTimers();
    await run(function () {
      this.success('bob');
    });
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('keeps two calls of one strategy apart', async () => {
    const strategy = {
      authenticate(this: Calls, { remoteAddress }: AuthRequest) {
        setImmediate(() => this.success(remoteAddress));
      },
    };
    const results = await Promise.all(['a', 'b'].map((remoteAddress) => runStrategy(strategy as never, { remoteAddress } as AuthRequest)));
    expect(results).toEqual([
      { kind: 'verified', user: 'a' },
      { kind: 'verified', user: 'b' },
    ]);
  });
});
