import { type AgentExecutor } from '../execution/agent-executor.js';
import { type AgentOptions } from './agent.decorator.js';
import { type Skill, type SkillOptions } from './agent-skill.decorator.js';

/** One skill of an agent: what `@AgentSkill` says of it, and the provider that Nest made. */
export interface HostedSkill {
  readonly options: SkillOptions;
  readonly instance: Skill;
}

/** One agent as this host runs it. */
export interface HostedAgent {
  readonly id: string;
  readonly options: AgentOptions;
  /** The `@Agent` provider. */
  readonly instance: object;
  readonly skills: readonly HostedSkill[];
  readonly executor: AgentExecutor;
  /** Served at the root paths too. */
  readonly isDefault: boolean;
}
