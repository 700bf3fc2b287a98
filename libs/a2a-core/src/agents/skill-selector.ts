import { Injectable } from '@nestjs/common';
import { InvalidParamsError } from '../protocol/errors.js';
import { acceptsPart } from '../protocol/media-types.js';
import { type TurnContext } from '../execution/turn-context.js';
import { type HostedAgent, type HostedSkill } from './hosted-agent.js';

/** Metadata member, of the message or the request, with which a client names a skill. */
export const SKILL_HINT = 'skillId';

/** An agent class may choose the skill itself. */
export interface ChoosesSkill {
  /** @returns id of one of the agent's skills; undefined to leave the choice to the platform */
  chooseSkill(turn: TurnContext): string | undefined | Promise<string | undefined>;
}

/** Finds the skill for a first message; requests of the protocol name none (A2A §4.4.5). Replace the provider to choose otherwise. */
export abstract class SkillSelector {
  /** @throws {InvalidParamsError} when the client names a skill the agent does not have */
  abstract select(agent: HostedAgent, turn: TurnContext): Promise<HostedSkill>;
}

/**
 * In this order: what the client names in `metadata.skillId`; what the agent's own `chooseSkill` says; the only skill, or the first one
 * in the order of the module, that takes every part of the message; the first skill.
 */
@Injectable()
export class DefaultSkillSelector extends SkillSelector {
  async select(agent: HostedAgent, turn: TurnContext): Promise<HostedSkill> {
    const { skills } = agent;
    const named = turn.message.metadata?.[SKILL_HINT] ?? turn.requestMetadata[SKILL_HINT];
    if (named !== undefined) return find(agent, named, `metadata.${SKILL_HINT}`);
    const chosen = choosesSkill(agent.instance) ? await agent.instance.chooseSkill(turn) : undefined;
    if (chosen !== undefined) return find(agent, chosen, 'chooseSkill');
    const fitting = skills.find((skill) => turn.message.parts.every((part) => acceptsPart(inputModesOf(agent, skill), part)));
    const skill = fitting ?? skills[0];
    if (!skill) throw new Error(`Agent ${agent.id} has neither skills nor an executor of its own`);
    return skill;
  }
}

/** Media types a skill takes (A2A §4.4.5). */
export function inputModesOf(agent: HostedAgent, skill: HostedSkill): readonly string[] {
  return skill.options.inputModes ?? agent.options.defaultInputModes ?? DEFAULT_MODES;
}

/** Media types a skill produces. */
export function outputModesOf(agent: HostedAgent, skill: HostedSkill): readonly string[] {
  return skill.options.outputModes ?? agent.options.defaultOutputModes ?? DEFAULT_MODES;
}

/** Media types of an agent or a skill that names none. */
export const DEFAULT_MODES: readonly string[] = ['text/plain'];

function find(agent: HostedAgent, id: unknown, field: string): HostedSkill {
  const skill = agent.skills.find(({ options }) => options.id === id);
  if (skill) return skill;
  throw InvalidParamsError.of(field, `no such skill; known: ${agent.skills.map(({ options }) => options.id).join(', ')}`);
}

function choosesSkill(instance: object): instance is ChoosesSkill {
  return 'chooseSkill' in instance && typeof instance.chooseSkill === 'function';
}
