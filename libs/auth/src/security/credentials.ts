import { addressPrefix } from '@a2a/a2a-core';
import { type AuthFailureThrottle } from './auth-failure-throttle.js';
import { type AuthRequest } from './auth-request.js';
import { isRepeated, valueIn } from './carrier.js';
import { type Outcome, type VerifiedIdentity } from './outcome.js';
import { runStrategy, type StrategyResult } from './run-strategy.js';
import { comesFromForeignPage } from './same-origin.js';
import { type HostScheme, type SchemeRegistry } from './scheme-registry.js';
import { type PreparedScheme } from './scheme-verifier.js';

/** The credentials of one call. Each scheme is asked at most once, however many agents, skills and operations want to know. */
export class Credentials {
  readonly #outcomes = new Map<string, Promise<Outcome>>();

  constructor(
    readonly request: AuthRequest,
    private readonly registry: SchemeRegistry,
    private readonly throttle: AuthFailureThrottle,
    private readonly allowedOrigins: readonly string[],
  ) {}

  outcomeOf(schemeName: string): Promise<Outcome> {
    const known = this.#outcomes.get(schemeName);
    if (known) return known;
    const outcome = this.ask(this.registry.find(schemeName)).catch((cause: unknown): Outcome => ({
      kind: 'unavailable',
      reason: 'the credentials could not be judged',
      cause,
    }));
    this.#outcomes.set(schemeName, outcome);
    return outcome;
  }

  /** Names a carrier of one of these schemes that came more than once. */
  findRepeated(schemeNames: Iterable<string>): string | undefined {
    for (const name of schemeNames) {
      if (this.registry.find(name)?.prepared.carriers.some((carrier) => isRepeated(carrier, this.request))) return name;
    }
    return undefined;
  }

  /** A scheme that is named and not configured denies: the host would not have started with it. */
  private async ask(scheme: HostScheme | undefined): Promise<Outcome> {
    if (!scheme) return { kind: 'invalid', reason: 'the scheme is not configured' };
    const { prepared, declared } = scheme;
    const filled = prepared.carriers.filter((carrier) => valueIn(carrier, this.request) !== undefined);
    if (filled.length === 0) return { kind: 'absent' };
    if (filled.some(({ in: place }) => place === 'cookie') && comesFromForeignPage(this.request, this.allowedOrigins)) {
      return { kind: 'forbidden', reason: 'the cookie was sent by a page of another origin' };
    }
    return prepared.throttle
      ? this.askSlowly(prepared, declared.name)
      : toOutcome(await runStrategy(prepared.strategy, this.request), prepared, this.request);
  }

  private async askSlowly(prepared: PreparedScheme, schemeName: string): Promise<Outcome> {
    const name = prepared.throttle?.nameOf?.(this.request);
    const key = JSON.stringify([schemeName, addressPrefix(this.request.remoteAddress), name ?? '']);
    const retryAfterSeconds = await this.throttle.waitOf(key);
    if (retryAfterSeconds > 0) return { kind: 'limited', reason: 'too many failures from this address', retryAfterSeconds };
    const outcome = toOutcome(await runStrategy(prepared.strategy, this.request), prepared, this.request);
    if (outcome.kind === 'invalid') await this.throttle.countFailure(key);
    if (outcome.kind === 'verified' && name !== undefined) await this.throttle.forget(key);
    return outcome;
  }
}

function toOutcome(result: StrategyResult, prepared: PreparedScheme, request: AuthRequest): Outcome {
  if (result.kind !== 'verified') return result;
  try {
    const identity = prepared.identityOf ? prepared.identityOf(result.user, request) : result.user;
    return isIdentity(identity)
      ? { kind: 'verified', identity }
      : { kind: 'unavailable', reason: 'the strategy verified the caller but named no issuer and subject' };
  } catch (cause) {
    return { kind: 'unavailable', reason: 'the identity could not be read', cause };
  }
}

/** Strategies may come from anywhere, so what they say is looked at before it becomes an owner. */
function isIdentity(value: unknown): value is VerifiedIdentity {
  if (typeof value !== 'object' || value === null) return false;
  const { realm, issuer, subject, scopes } = value as Record<string, unknown>;
  return [realm, issuer, subject].every((part) => typeof part === 'string' && part !== '') && Array.isArray(scopes);
}
