import { HttpException } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/internal';
import { type ExternalContextCreator } from '@nestjs/core';
import { type ParamsFactory } from '@nestjs/core/helpers/external-context-creator.js';
import { type HostedAgent, type HostedSkill } from '../agents/hosted-agent.js';
import { type SkillAccess } from '../agents/skill-access.js';
import { type SkillSelector } from '../agents/skill-selector.js';
import { A2aError, type A2aErrorReason } from '../protocol/errors.js';
import { type AgentEvent } from '../protocol/events.js';
import { AgentExecutor } from './agent-executor.js';
import { toEvents } from './skill-result.js';
import { type TurnContext } from './turn-context.js';

/** Memo under which a task keeps the skill that began it. */
const SKILL_STEP = 'a2a.skill';

/** What running a skill reaches into. */
export interface SkillExecutorServices {
  readonly selector: SkillSelector;
  readonly access: SkillAccess;
  readonly contexts: ExternalContextCreator;
}

/** Parameters come from decorators made with `createParamDecorator`; those of HTTP mean nothing here. */
const NO_BUILT_IN_PARAMS: ParamsFactory = { exchangeKeyForValue: () => undefined };

type SkillCall = (turn: TurnContext) => Promise<unknown>;

/**
 * Runs an agent that is made of `@AgentSkill` classes.
 *
 * - A task stays with the skill that began it.
 * - `execute` runs behind Nest's guards, pipes, interceptors and filters, with the context type `a2a` and the turn as its only argument.
 * - What a guard refuses before a task exists is the caller's error; the task never comes into being.
 */
export class SkillExecutor extends AgentExecutor {
  readonly #calls = new Map<HostedSkill, SkillCall>();

  constructor(
    private readonly agent: () => HostedAgent,
    private readonly services: SkillExecutorServices,
  ) {
    super();
  }

  /** A turn that goes on without a message was admitted when its message came. */
  override async admit(turn: TurnContext): Promise<void> {
    if (turn.resumed) return;
    const skill = await this.#skillFor(turn);
    const { principal, tenant } = turn;
    await this.services.access.check({ agent: this.agent(), skill, principal, tenant, taskId: turn.task ? turn.taskId : undefined });
  }

  async *execute(turn: TurnContext): AsyncGenerator<AgentEvent> {
    const skill = await this.#skillFor(turn);
    let result: unknown;
    try {
      result = await this.#callOf(skill)(turn);
    } catch (error) {
      throw error instanceof HttpException ? fromHttp(error) : error;
    }
    yield* toEvents(result, turn);
  }

  override async *cancel(turn: TurnContext): AsyncGenerator<AgentEvent> {
    const skill = await this.#skillFor(turn);
    if (skill.instance.cancel) yield* skill.instance.cancel(turn);
  }

  async #skillFor(turn: TurnContext): Promise<HostedSkill> {
    const agent = this.agent();
    const id = await turn.memo(SKILL_STEP, async () => (await this.services.selector.select(agent, turn)).options.id);
    return agent.skills.find(({ options }) => options.id === id) ?? this.services.selector.select(agent, turn);
  }

  #callOf(skill: HostedSkill): SkillCall {
    const known = this.#calls.get(skill);
    if (known) return known;
    const enhancers = { guards: true, interceptors: true, filters: true };
    const callback = skill.instance.execute as (...args: unknown[]) => unknown;
    const call = this.services.contexts.create(
      skill.instance,
      callback,
      'execute',
      ROUTE_ARGS_METADATA,
      NO_BUILT_IN_PARAMS,
      undefined,
      undefined,
      enhancers,
      'a2a',
    );
    this.#calls.set(skill, call as SkillCall);
    return call as SkillCall;
  }
}

const REASONS: Readonly<Record<number, A2aErrorReason>> = {
  400: 'INVALID_PARAMS',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  429: 'RATE_LIMITED',
  503: 'UNAVAILABLE',
};

/** What Nest's guards and pipes throw, in the protocol's terms. */
function fromHttp(error: HttpException): unknown {
  const reason = REASONS[error.getStatus()];
  return reason ? new A2aError(reason, error.message, {}, { cause: error }) : error;
}
