import { type SecurityRequirement, type SecurityScheme } from '../gen/a2a_pb.js';
import { type HostedAgent, type HostedSkill } from '../agents/hosted-agent.js';

/** The security members of a card, made from what the host enforces (A2A §4.4.1, §4.5). */
export abstract class CardSecurity {
  /** Every scheme that the agent's requirements or those of its skills name, by name. */
  abstract schemesOf(agent: HostedAgent): Readonly<Record<string, SecurityScheme>>;

  abstract requirementsOf(agent: HostedAgent): readonly SecurityRequirement[];

  /** What the skill asks in addition to the agent. */
  abstract skillRequirementsOf(agent: HostedAgent, skill: HostedSkill): readonly SecurityRequirement[];
}

/** For hosts without schemes. */
export class OpenCardSecurity extends CardSecurity {
  schemesOf(): Readonly<Record<string, SecurityScheme>> {
    return {};
  }

  requirementsOf(): readonly SecurityRequirement[] {
    return [];
  }

  skillRequirementsOf(): readonly SecurityRequirement[] {
    return [];
  }
}
