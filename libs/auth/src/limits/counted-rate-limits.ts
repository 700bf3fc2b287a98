import { Injectable } from '@nestjs/common';
import {
  A2aError,
  A2aLogger,
  addressPrefix,
  AgentRegistry,
  type AgentRates,
  Audit,
  type AuditFacts,
  callerName,
  type CallSeed,
  Clock,
  type HostedAgent,
  type IdentifiedCall,
  type OperationName,
  type Rate,
  type RatedCall,
  RateLimits,
} from '@a2a/a2a-core';
import { OPERATION_COSTS } from './operation-costs.js';
import { type RateCounter } from './rate-counter.js';
import { DEFAULT_MAX_NAMES, DEFAULT_RATES, type RateName, RateLimitsOptions } from './rate-limits.options.js';
import { SharedWindows } from './shared-windows.js';
import { TokenBuckets } from './token-buckets.js';

/** What a call costs, and whose counter pays. */
interface Spending {
  readonly kind: RateName;
  readonly name: string;
  readonly cost: number;
  readonly agent?: HostedAgent;
}

/**
 * Rates per address, caller, tenant and agent (A2A §13.4).
 *
 * - An agent's own rates replace the host's for that agent and touch no other.
 * - What is refused for one reason is counted for none that is looked at later.
 * - A shared store that is away limits nobody: a host without its counters should still answer.
 * - Only the first refusal of a name in its time is audited, so a flood of calls is no flood of records.
 */
@Injectable()
export class CountedRateLimits extends RateLimits {
  readonly #counters = new Map<string, RateCounter>();
  readonly #costs: Readonly<Record<OperationName, number>>;

  constructor(
    private readonly options: RateLimitsOptions,
    private readonly agents: AgentRegistry,
    private readonly audit: Audit,
    private readonly logger: A2aLogger,
    private readonly clock: Clock,
  ) {
    super();
    this.#costs = { ...OPERATION_COSTS, ...options.costs };
  }

  async beforeCredentials({ binding, remoteAddress }: CallSeed): Promise<void> {
    const spending = { kind: 'address', name: addressPrefix(remoteAddress), cost: 1 } as const;
    await this.#spend(spending, this.options.perAddress, { binding, remoteAddress });
  }

  async beforeBody(call: IdentifiedCall): Promise<void> {
    const agent = this.#agentOf(call);
    const counter = agent && this.#counter('caller', this.#rateOf('perCaller', agent), agent);
    const wait = await counter?.waitOf(callerName(call.principal, call.remoteAddress)).catch((error: unknown) => this.#letPass(error));
    if (wait) throw tooMany('caller', wait);
  }

  async beforeWork({ agent, tenant, principal, operation, remoteAddress }: RatedCall): Promise<void> {
    const cost = this.#costs[operation];
    const facts = { operation, agentId: agent.id, tenant, owner: principal.owner, remoteAddress };
    const caller = { kind: 'caller', name: callerName(principal, remoteAddress), cost, agent } as const;
    await this.#spend(caller, this.#rateOf('perCaller', agent), facts);
    if (tenant) await this.#spend({ kind: 'tenant', name: tenant, cost }, this.options.perTenant, facts);
    await this.#spend({ kind: 'agent', name: agent.id, cost, agent }, this.#rateOf('perAgent', agent), facts);
  }

  async #spend(
    { kind, name, cost, agent }: Spending,
    rate: Rate | 'unlimited' | undefined,
    facts: Omit<AuditFacts, 'outcome'>,
  ): Promise<void> {
    const spent = await this.#counter(kind, rate, agent)
      ?.spend(name, cost)
      .catch((error: unknown) => void this.#letPass(error));
    if (!spent || spent.waitSeconds === 0) return;
    if (spent.isFirstRefusal)
      this.audit.note('limit', { outcome: 'refused', ...facts, reason: 'RATE_LIMITED', detail: `rate of this ${kind}` });
    throw tooMany(kind, spent.waitSeconds);
  }

  /** Undefined where the rate is switched off. */
  #counter(kind: RateName, rate: Rate | 'unlimited' = DEFAULT_RATES[kind], agent?: HostedAgent): RateCounter | undefined {
    if (rate === 'unlimited') return undefined;
    const what = agent ? `${kind} of ${agent.id}` : kind;
    let counter = this.#counters.get(what);
    if (!counter) {
      const store = this.options.makeStore?.(what, rate);
      const { maxNames = DEFAULT_MAX_NAMES } = this.options;
      counter = store ? new SharedWindows(rate, store) : new TokenBuckets(rate, maxNames, this.clock);
      this.#counters.set(what, counter);
    }
    return counter;
  }

  #rateOf(which: keyof AgentRates, { options }: HostedAgent): Rate | 'unlimited' | undefined {
    return options.rates?.[which] ?? this.options[which];
  }

  /** Before the body only a URL names the agent; over gRPC none does. */
  #agentOf({ mount, binding }: IdentifiedCall): HostedAgent | undefined {
    if (mount !== undefined) return this.agents.find(mount);
    return binding === 'GRPC' ? undefined : this.agents.defaultAgent;
  }

  #letPass(error: unknown): undefined {
    this.logger.warn('Rates cannot be counted right now', { error });
  }
}

function tooMany(limit: RateName, retryAfterSeconds: number): A2aError {
  return new A2aError('RATE_LIMITED', `Rate limit exceeded for this ${limit}`, { metadata: { limit }, retryAfterSeconds });
}
