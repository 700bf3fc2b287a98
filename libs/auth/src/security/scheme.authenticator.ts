import { Injectable } from '@nestjs/common';
import {
  A2aError,
  AgentRegistry,
  CallAuthenticator,
  type CallSeed,
  type HostedAgent,
  type IdentifiedCall,
  type OperationName,
  type Principal,
  RefusalCause,
} from '@a2a/a2a-core';
import { A2aAuthOptions } from '../auth.options.js';
import { DeclaredSecurity } from './agent-rules.js';
import { anonymousCaller } from './anonymous-caller.js';
import { AuthFailureThrottle } from './auth-failure-throttle.js';
import { toAuthRequest } from './auth-request.js';
import { ClientCertificateReader } from './client-certificate.js';
import { Credentials } from './credentials.js';
import { type CredentialsFailure } from './outcome.js';
import { OperationAccess } from './operation-access.js';
import { decide, type Decision, grantsOf } from './policy-engine.js';
import { toPrincipal } from './principal.js';
import { type FailedAgent, Refusals } from './refusal.js';
import { SchemeRegistry } from './scheme-registry.js';

/** What is kept of a call between its headers and its message. */
interface Evidence {
  readonly seed: CallSeed;
  readonly credentials: Credentials;
  readonly principals: Map<HostedAgent, Promise<Principal>>;
}

/**
 * Enforces what the cards declare, the same way on every wire.
 *
 * - Where the URL names the agent, its requirements are judged before the body is read. Where only the message will name it (gRPC),
 *   credentials are verified all the same, and a caller that no agent of this host would let in is refused there and then.
 * - `admit` judges by the agent that the message really reached, whatever `identify` assumed.
 * - A scheme runs at most once a call.
 * - Nothing of a credential leaves: not in the call, not in an error, not in a log line.
 * - Why a call was refused is the cause of its error, for the audit trail alone.
 */
@Injectable()
export class SchemeAuthenticator extends CallAuthenticator {
  readonly #evidence = new WeakMap<Principal, Evidence>();
  readonly #certificates: ClientCertificateReader;
  readonly #refusals: Refusals;

  constructor(
    private readonly options: A2aAuthOptions,
    private readonly agents: AgentRegistry,
    private readonly declared: DeclaredSecurity,
    private readonly registry: SchemeRegistry,
    private readonly access: OperationAccess,
    private readonly throttle: AuthFailureThrottle,
  ) {
    super();
    this.#certificates = new ClientCertificateReader(options.clientCertificates);
    this.#refusals = new Refusals(registry);
  }

  async identify(seed: CallSeed): Promise<IdentifiedCall> {
    const request = toAuthRequest(seed, this.#certificates);
    const credentials = new Credentials(request, this.registry, this.throttle, this.options.allowedOrigins ?? []);
    const candidates = this.candidatesFor(seed);
    this.checkRepeated(candidates, credentials);
    const evidence: Evidence = { seed, credentials, principals: new Map() };
    const principal = await this.findPrincipal(candidates, evidence).finally(() => credentials.settle());
    this.#evidence.set(principal, evidence);
    return { ...seed, headers: this.withoutCredentials(seed), query: undefined, peerCertificate: undefined, principal };
  }

  async admit(call: IdentifiedCall, agent: HostedAgent, tenant: string, operation: OperationName, taskId?: string): Promise<Principal> {
    const evidence = this.#evidence.get(call.principal);
    if (!evidence) throw new Error('The call did not come from identify(): its principal is unknown here');
    const principal = await this.principalFor(agent, evidence).finally(() => evidence.credentials.settle());
    const rules = this.declared.rulesOf(agent);
    const hasExtendedCard = agent.options.extendedAgentCard === true;
    await this.access.check({ rules, principal, operation, tenant, taskId, hasExtendedCard });
    return principal;
  }

  /** The agents a call can be for. None for an unknown mount: what is not there needs no credentials to be not found. */
  private candidatesFor(seed: CallSeed): readonly HostedAgent[] {
    if (seed.mount !== undefined) return [this.agents.find(seed.mount)].flatMap((agent) => (agent ? [agent] : []));
    return seed.binding === 'GRPC' ? this.agents.agents : [this.agents.defaultAgent];
  }

  private async findPrincipal(candidates: readonly HostedAgent[], evidence: Evidence): Promise<Principal> {
    const failed: FailedAgent[] = [];
    for (const agent of candidates) {
      const rules = this.declared.rulesOf(agent);
      const decision = await decide(rules, evidence.credentials);
      if (decision.allowed) return this.principalFor(agent, evidence, decision);
      failed.push({ rules, alternatives: decision.alternatives });
    }
    if (failed.length > 0) throw this.refuse(failed);
    return anonymousCaller(evidence.seed, 'own');
  }

  private principalFor(agent: HostedAgent, evidence: Evidence, decision?: Decision): Promise<Principal> {
    const known = evidence.principals.get(agent);
    if (known) return known;
    const made = this.makePrincipal(agent, evidence, decision);
    evidence.principals.set(agent, made);
    return made;
  }

  private async makePrincipal(agent: HostedAgent, { seed, credentials }: Evidence, known?: Decision): Promise<Principal> {
    const rules = this.declared.rulesOf(agent);
    const decision = known ?? (await decide(rules, credentials));
    if (!decision.allowed) throw this.refuse([{ rules, alternatives: decision.alternatives }]);
    const [caller, ...others] = decision.identities;
    return caller ? toPrincipal([caller, ...others], await grantsOf(rules, credentials)) : anonymousCaller(seed, rules.anonymousOwner);
  }

  /** Before anything is verified: a credential given twice is a request nobody can read, even beside a good one (RFC 9110 §5.3). */
  private checkRepeated(candidates: readonly HostedAgent[], credentials: Credentials): void {
    const scheme = credentials.findRepeated(candidates.flatMap((agent) => this.declared.rulesOf(agent).schemeNames));
    if (scheme === undefined) return;
    const cause = new RefusalCause(`${scheme}: given more than once`);
    throw new A2aError('INVALID_REQUEST', 'Credentials are given more than once', {}, { cause });
  }

  private withoutCredentials(seed: CallSeed): ReadonlyMap<string, string> {
    return new Map([...seed.headers].filter(([name]) => !this.registry.credentialHeaders.has(name)));
  }

  private refuse(failed: readonly FailedAgent[]): A2aError {
    const findings = failed.flatMap(({ alternatives }) =>
      alternatives.flat().flatMap((finding) => (finding.kind === 'failed' ? [`${finding.scheme}: ${reasonOf(finding.failure)}`] : [])),
    );
    const error = this.#refusals.toError(failed);
    error.cause = new RefusalCause(findings.length > 0 ? [...new Set(findings)].join('; ') : 'no credentials');
    return error;
  }
}

/** For the operator: what stands behind a credential that nobody could judge, such as a provider that answered 500. */
function reasonOf(failure: CredentialsFailure): string {
  const causes: string[] = [];
  let cause: unknown = failure.kind === 'unavailable' ? failure.cause : undefined;
  for (; cause instanceof Error && causes.length < 3; cause = cause.cause) causes.push(cause.message);
  return [failure.reason, ...causes].join('; because: ').slice(0, 300);
}
