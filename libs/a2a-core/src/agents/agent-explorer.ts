import { Injectable, type Type } from '@nestjs/common';
import { ExternalContextCreator, ModulesContainer, Reflector } from '@nestjs/core';
import { AgentExecutor } from '../execution/agent-executor.js';
import { SkillExecutor } from '../execution/skill-executor.js';
import { type AgentOptions, AgentMetadata } from './agent.decorator.js';
import { AgentSkillMetadata, type Skill, type SkillOptions } from './agent-skill.decorator.js';
import { type HostedAgent, type HostedSkill } from './hosted-agent.js';
import { SkillAccess } from './skill-access.js';
import { SkillSelector } from './skill-selector.js';

/** Finds the agents of this host: a module with an `@Agent` provider is an agent, its `@AgentSkill` providers are its skills. */
@Injectable()
export class AgentExplorer {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly reflector: Reflector,
    private readonly contexts: ExternalContextCreator,
    private readonly selector: SkillSelector,
    private readonly access: SkillAccess,
  ) {}

  /** @throws {Error} naming module and class when a module holds two agents, or skills without an agent */
  explore(): Omit<HostedAgent, 'isDefault'>[] {
    return [...this.modules.values()].flatMap((module) => {
      const providers = [...module.providers.values()].filter(({ instance, metatype }) => instance && typeof metatype === 'function');
      const agents = providers.filter(({ metatype }) => this.#agentOptions(metatype as Type));
      const skills = providers.flatMap(({ instance, metatype }) => this.#skill(instance, metatype as Type));
      if (agents.length > 1) throw new Error(`${module.name} provides two @Agent classes; give each agent a module of its own`);
      const [agent] = agents;
      if (agent) return [this.#agent(agent.instance as object, this.#agentOptions(agent.metatype as Type), skills)];
      if (skills.length === 0) return [];
      throw new Error(`${module.name} provides @AgentSkill ${skills[0]?.options.id} but no @Agent class; add one to its providers`);
    });
  }

  #agent(instance: object, options: AgentOptions, skills: readonly HostedSkill[]): Omit<HostedAgent, 'isDefault'> {
    const { selector, access, contexts } = this;
    const agent: Omit<HostedAgent, 'isDefault'> = {
      id: options.id,
      options,
      instance,
      skills,
      executor: instance instanceof AgentExecutor ? instance : new SkillExecutor(() => hosted, { selector, access, contexts }),
    };
    const hosted: HostedAgent = { ...agent, isDefault: false };
    return agent;
  }

  #agentOptions(metatype: Type): AgentOptions {
    return this.reflector.get<AgentOptions>(AgentMetadata, metatype);
  }

  #skill(instance: unknown, metatype: Type): HostedSkill[] {
    const options = this.reflector.get<SkillOptions | undefined>(AgentSkillMetadata, metatype);
    return options ? [{ options, instance: instance as Skill }] : [];
  }
}
