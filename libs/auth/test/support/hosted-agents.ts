import {
  AgentRegistry,
  AgentExecutor,
  type AgentEvent,
  type AgentOptions,
  A2aError,
  type CallSeed,
  type HostedAgent,
  type HostedSkill,
  type Resolved,
  type SkillOptions,
} from '@a2a/a2a-core';

class Silent extends AgentExecutor {
  async *execute(): AsyncIterable<AgentEvent> {}
}

/** An agent that is only looked at, never run. */
export function hostedAgent(
  options: Partial<AgentOptions> & { readonly id: string },
  skills: readonly Partial<SkillOptions>[] = [],
): HostedAgent {
  const executor = new Silent();
  return {
    id: options.id,
    options: { name: options.id, description: 'for a test', version: '1.0.0', ...options },
    instance: executor,
    skills: skills.map((skill): HostedSkill => ({
      options: { id: 's', name: 's', description: 's', tags: [], ...skill },
      instance: { execute: () => '' },
    })),
    executor,
    isDefault: false,
  };
}

/** The agents of a test; the first is served at the root. */
export class ListedAgents extends AgentRegistry {
  constructor(readonly agents: readonly HostedAgent[]) {
    super();
  }

  get defaultAgent(): HostedAgent {
    const [first] = this.agents;
    if (!first) throw new Error('No agents');
    return first;
  }

  find(agentId: string): HostedAgent | undefined {
    return this.agents.find(({ id }) => id === agentId);
  }

  resolve({ mount }: CallSeed, tenant: string): Resolved {
    const agent = mount === undefined ? this.defaultAgent : this.find(mount);
    if (!agent) throw new A2aError('ROUTE_NOT_FOUND', 'No such agent');
    return { agent, tenant };
  }
}
