import { type CredentialsFailure, CredentialsRefused } from './outcome.js';
import { type AuthRequest } from './auth-request.js';

/** The least every passport strategy is. */
export interface RunnableStrategy {
  authenticate(request: never, options?: unknown): unknown;
}

export type StrategyResult = { readonly kind: 'verified'; readonly user: unknown } | { readonly kind: 'absent' } | CredentialsFailure;

/** A strategy that never answers must not hold a call for ever. */
const STRATEGY_TIMEOUT_MS = 10_000;

/**
 * Runs one passport strategy by itself, as passport does inside, but with an answer that says what happened. Passport's own lists of
 * strategies know only OR, and cannot tell absent credentials from wrong ones or from a key server that is down.
 *
 * - Never rejects: a strategy that throws or calls `error` is `unavailable`.
 * - `fail` with status 400 is malformed, 5xx unavailable, anything else invalid, unless it is given a CredentialsRefused.
 * - `pass` is absent; `redirect` is invalid, since an agent's caller has no browser.
 */
export function runStrategy(strategy: RunnableStrategy, request: AuthRequest): Promise<StrategyResult> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle({ kind: 'unavailable', reason: 'the strategy did not answer' }), STRATEGY_TIMEOUT_MS);
    const settle = (result: StrategyResult): void => {
      clearTimeout(timer);
      resolve(result);
    };
    const error = (thrown: unknown): void => settle(toFailure(thrown));
    const run = Object.assign(Object.create(strategy) as RunnableStrategy, {
      success: (user: unknown) => settle({ kind: 'verified', user }),
      fail: (challenge?: unknown, status?: number) => settle(toRefusal(challenge, status)),
      pass: () => settle({ kind: 'absent' }),
      redirect: () => settle({ kind: 'invalid', reason: 'the strategy wants a browser' }),
      error,
    });
    try {
      Promise.resolve(run.authenticate(request as never, {})).catch(error);
    } catch (thrown) {
      error(thrown);
    }
  });
}

function toFailure(thrown: unknown): CredentialsFailure {
  if (thrown instanceof CredentialsRefused) return thrown.failure;
  return { kind: 'unavailable', reason: 'the strategy failed', cause: thrown };
}

function toRefusal(challenge: unknown, status?: number): CredentialsFailure {
  if (challenge instanceof CredentialsRefused) return challenge.failure;
  const code = typeof challenge === 'number' ? challenge : (status ?? 401);
  const reason = challenge instanceof Error ? challenge.message : 'refused by the strategy';
  if (code === 400) return { kind: 'malformed', reason };
  return code >= 500 ? { kind: 'unavailable', reason } : { kind: 'invalid', reason };
}
