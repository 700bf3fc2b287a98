import { Injectable } from '@nestjs/common';
import { MetadataScanner, Reflector } from '@nestjs/core';
import { type CallContext } from '../call/call-context.js';
import { type AgentCard, AgentExtensionSchema } from '../gen/a2a_pb.js';
import { create } from '@bufbuild/protobuf';
import { AgentCardBuilder } from './agent-card.builder.js';
import { AgentCardSigner } from './agent-card.signer.js';
import { EXTENDED_CARD, type ExtendedCardDetails, type ExtendedCardMethod } from '../agents/extended-card.decorator.js';
import { ExtendedAgentCards } from './extended-agent-cards.js';
import { type HostedAgent, type HostedSkill } from '../agents/hosted-agent.js';
import { SkillAccess } from '../agents/skill-access.js';

/** The public card, with the skills this caller may use and what the agent's `@ExtendedCard()` method adds. */
@Injectable()
export class DefaultExtendedAgentCards extends ExtendedAgentCards {
  constructor(
    private readonly builder: AgentCardBuilder,
    private readonly signer: AgentCardSigner,
    private readonly access: SkillAccess,
    private readonly reflector: Reflector,
    private readonly scanner: MetadataScanner,
  ) {
    super();
  }

  async cardFor(agent: HostedAgent, call: CallContext): Promise<AgentCard | undefined> {
    const method = this.#methodOf(agent);
    if (!method && !agent.skills.some(({ options }) => options.visibility === 'extended')) return undefined;
    const card = this.builder.build(agent, agent.isDefault);
    const usable = await this.#usableSkills(agent, call);
    card.skills = usable.map((skill) => this.builder.skill(agent, skill));
    extend(card, (await method?.(call)) ?? {});
    card.signatures = [...(await this.signer.sign(card))];
    return card;
  }

  async #usableSkills(agent: HostedAgent, { principal, tenant }: CallContext): Promise<HostedSkill[]> {
    const answers = await Promise.all(agent.skills.map((skill) => this.access.isAllowed({ agent, skill, principal, tenant })));
    return agent.skills.filter((_, index) => answers[index]);
  }

  #methodOf({ instance }: HostedAgent): ExtendedCardMethod | undefined {
    const methods = instance as Record<string, ExtendedCardMethod>;
    const prototype = Object.getPrototypeOf(instance) as object;
    const name = this.scanner
      .getAllMethodNames(prototype)
      .find((one) => this.reflector.get(EXTENDED_CARD, methods[one] as ExtendedCardMethod));
    return name === undefined ? undefined : methods[name]?.bind(instance);
  }
}

function extend(card: AgentCard, { extensions = [], ...members }: ExtendedCardDetails): void {
  Object.assign(card, members);
  card.capabilities?.extensions.push(...extensions.map((extension) => create(AgentExtensionSchema, extension)));
}
