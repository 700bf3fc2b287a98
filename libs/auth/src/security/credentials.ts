import { addressPrefix } from '@a2a/a2a-core';
import { type Attempt, type AuthFailureThrottle } from './auth-failure-throttle.js';
import { type AuthRequest } from './auth-request.js';
import { type Carrier, isRepeated, isSameCarrier, valueIn } from './carrier.js';
import { type Outcome, type VerifiedIdentity } from './outcome.js';
import { runStrategy, type StrategyResult } from './run-strategy.js';
import { comesFromForeignPage } from './same-origin.js';
import { type HostScheme, type SchemeRegistry } from './scheme-registry.js';
import { type PreparedScheme } from './scheme-verifier.js';

/** A secret that a scheme does not know. */
interface Failure {
  readonly scheme: HostScheme;
  readonly attempt: Attempt;
}

/**
 * The credentials of one call.
 *
 * - Each scheme is asked at most once, however many agents, skills and operations want to know.
 * - A token that one issuer has vouched for is not shown to another, who would only learn of it.
 * - A secret counts as a failed guess when no scheme of the call knows it: what opens one door is no attempt at the one beside it.
 */
export class Credentials {
  readonly #outcomes = new Map<string, Promise<Outcome>>();
  readonly #failures: Failure[] = [];

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

  /**
   * Counts the failures so far, each whatever becomes of the others. Has to be called once nothing more is asked, whatever came of it.
   *
   * @throws what a shared store fails with
   */
  async settle(): Promise<void> {
    const settled = await Promise.allSettled(this.#failures.splice(0).map((failure) => this.count(failure)));
    for (const result of settled) if (result.status === 'rejected') throw result.reason;
  }

  private async count({ scheme, attempt }: Failure): Promise<void> {
    if (await this.someOther(scheme, [...this.#outcomes], () => true)) attempt.end();
    else await attempt.fail();
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
    const { prepared } = scheme;
    const filled = prepared.carriers.filter((carrier) => valueIn(carrier, this.request) !== undefined);
    if (filled.length === 0) return { kind: 'absent' };
    if (filled.some(({ in: place }) => place === 'cookie') && comesFromForeignPage(this.request, this.allowedOrigins)) {
      return { kind: 'forbidden', reason: 'the cookie was sent by a page of another origin' };
    }
    const asked = [...this.#outcomes];
    const { issuer } = prepared;
    if (issuer !== undefined && (await this.someOther(scheme, asked, (identity) => identity.issuer !== issuer))) {
      return { kind: 'invalid', reason: 'another issuer has made the token' };
    }
    return prepared.throttle
      ? this.askSlowly(scheme)
      : toOutcome(await runStrategy(prepared.strategy, this.request), prepared, this.request);
  }

  private async askSlowly(scheme: HostScheme): Promise<Outcome> {
    const { prepared, declared } = scheme;
    const name = prepared.throttle?.nameOf?.(this.request);
    const key = JSON.stringify([declared.name, addressPrefix(this.request.remoteAddress), name ?? '']);
    const attempt = await this.throttle.begin(key);
    const { retryAfterSeconds } = attempt;
    if (retryAfterSeconds > 0) {
      attempt.end();
      return { kind: 'limited', reason: 'too many failures from this address, or attempts at once', retryAfterSeconds };
    }
    const outcome = toOutcome(await runStrategy(prepared.strategy, this.request), prepared, this.request);
    if (outcome.kind === 'invalid') this.#failures.push({ scheme, attempt });
    else attempt.end();
    if (outcome.kind === 'verified' && name !== undefined) await this.throttle.forget(key);
    return outcome;
  }

  /** One of the schemes asked has verified what stands where this one looks. */
  private async someOther(
    { prepared, declared }: HostScheme,
    asked: readonly (readonly [string, Promise<Outcome>])[],
    matches: (identity: VerifiedIdentity) => boolean,
  ): Promise<boolean> {
    const others = asked.filter(([name]) => name !== declared.name && this.sharesCarrier(name, prepared.carriers));
    const outcomes = await Promise.all(others.map(([, outcome]) => outcome));
    return outcomes.some((outcome) => outcome.kind === 'verified' && matches(outcome.identity));
  }

  private sharesCarrier(schemeName: string, carriers: readonly Carrier[]): boolean {
    const theirs = this.registry.find(schemeName)?.prepared.carriers ?? [];
    return carriers.some(
      (carrier) => valueIn(carrier, this.request) !== undefined && theirs.some((other) => isSameCarrier(carrier, other)),
    );
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
