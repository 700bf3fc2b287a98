import { applyDecorators, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type Message } from '../gen/a2a_pb.js';
import { type SchemeRequirement } from './agent-security.js';
import { type AgentEvent } from '../protocol/events.js';
import { type TurnContext } from '../execution/turn-context.js';

/** What a skill says of itself on the card (A2A §4.4.5). */
export interface SkillOptions {
  /** Unique within the agent. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Prompts this skill answers well. */
  readonly examples?: readonly string[];
  /** `extended`: shown on the extended card only, to callers who may use it. Default `public`. */
  readonly visibility?: 'public' | 'extended';
  /** Media types in place of the agent's defaults. */
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
  /** Scopes the caller needs for this skill, from the credentials that opened the agent. */
  readonly scopes?: readonly string[];
  /** Alternatives of schemes this skill needs, in addition to the agent's own. */
  readonly security?: readonly SchemeRequirement[];
}

/** Everything a skill's `execute` may return or yield; `docs/adding/a-skill.md` shows each form. */
export type SkillResult =
  | string
  | Message
  | AgentEvent
  | object
  | void
  | AsyncIterable<string | AgentEvent>
  | Promise<string | Message | AgentEvent | object | void>;

/**
 * One thing an agent can do.
 *
 * | `execute` | becomes |
 * | --- | --- |
 * | returns a string or a Message | a direct answer, without a task |
 * | returns an object | a task with one data artifact, COMPLETED |
 * | returns an event | a task with that event |
 * | yields strings | a task with one streamed text artifact, COMPLETED |
 * | yields events | exactly those events |
 * | throws | FAILED, with a public text and an error id |
 */
export interface Skill {
  execute(turn: TurnContext): SkillResult;
  /** As `AgentExecutor.cancel`. */
  cancel?(turn: TurnContext): AsyncIterable<AgentEvent>;
}

/** Where Nest's discovery finds a skill's options. */
export const AgentSkillMetadata = DiscoveryService.createDecorator<SkillOptions>();

/** Makes a provider a skill of the agent in the same module. Nest's guards, pipes, interceptors and filters apply to `execute`. */
export function AgentSkill(options: SkillOptions): ClassDecorator {
  return applyDecorators(Injectable(), AgentSkillMetadata(options));
}
