import { Inject, Injectable } from '@nestjs/common';
import { type A2aCoreOptions } from '../a2a-core.options.js';
import { A2A_CORE_OPTIONS } from '../a2a-core.module-definition.js';
import { type CallSeed } from '../call/call-context.js';
import { A2aError, InvalidParamsError } from '../protocol/errors.js';
import { AgentExplorer } from './agent-explorer.js';
import { AgentRegistry, type Resolved } from './agent-registry.js';
import { type HostedAgent } from './hosted-agent.js';
import { checkAgentOptions } from './agent-options-check.js';

/**
 * The agents found in the app's modules.
 *
 * Over HTTP the URL names the agent and `tenant` is the operator's customer. Where no URL does (gRPC), `tenant` is `agent` or
 * `agent/customer`; without an agent's name it belongs to the default agent.
 */
@Injectable()
export class DefaultAgentRegistry extends AgentRegistry {
  #agents?: ReadonlyMap<string, HostedAgent>;

  constructor(
    @Inject(A2A_CORE_OPTIONS) private readonly options: A2aCoreOptions,
    private readonly explorer: AgentExplorer,
  ) {
    super();
  }

  get agents(): readonly HostedAgent[] {
    return [...this.#known.values()];
  }

  get defaultAgent(): HostedAgent {
    const agent = this.agents.find(({ isDefault }) => isDefault);
    if (!agent) throw new Error('No agent is served at the root paths');
    return agent;
  }

  find(agentId: string): HostedAgent | undefined {
    return this.#known.get(agentId);
  }

  resolve(seed: CallSeed, tenant: string): Resolved {
    if (seed.pathTenant && tenant && seed.pathTenant !== tenant) {
      throw InvalidParamsError.of('tenant', 'URL and request name different tenants');
    }
    const asked = tenant || (seed.pathTenant ?? '');
    if (seed.mount !== undefined) return { agent: this.#mounted(seed.mount), tenant: asked };
    if (seed.binding !== 'GRPC') return { agent: this.defaultAgent, tenant: asked };
    const [name = '', ...customer] = asked.split('/');
    const agent = this.find(name);
    return agent ? { agent, tenant: customer.join('/') } : { agent: this.defaultAgent, tenant: asked };
  }

  #mounted(mount: string): HostedAgent {
    const agent = this.find(mount);
    if (!agent) throw new A2aError('ROUTE_NOT_FOUND', 'No such agent');
    return agent;
  }

  get #known(): ReadonlyMap<string, HostedAgent> {
    return (this.#agents ??= this.#explore());
  }

  #explore(): ReadonlyMap<string, HostedAgent> {
    const found = this.explorer.explore();
    const defaultId = this.options.defaultAgent ?? (found.length === 1 ? found[0]?.id : undefined);
    checkAgentOptions(
      found.map(({ options }) => options),
      defaultId,
    );
    return new Map(found.map((agent) => [agent.id, { ...agent, isDefault: agent.id === defaultId }]));
  }
}
