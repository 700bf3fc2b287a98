import { Injectable } from '@nestjs/common';
import { create } from '@bufbuild/protobuf';
import { type AgentCard, AgentCardSchema, type AgentSkill, AgentSkillSchema } from '../gen/a2a_pb.js';
import { SUPPORTED_VERSIONS } from '../protocol/service-params.js';
import { CardSecurity } from './card-security.js';
import { type HostedAgent, type HostedSkill } from '../agents/hosted-agent.js';
import { DEFAULT_MODES } from '../agents/skill-selector.js';
import { WireRegistry } from './wire-registry.js';

/** Makes cards from what agents declare and what the host really serves (A2A §4.4.1, §8.3). */
@Injectable()
export class AgentCardBuilder {
  constructor(
    private readonly wires: WireRegistry,
    private readonly security: CardSecurity,
  ) {}

  /** @param atRoot the card of the root paths, not of `/agents/<id>` */
  build(agent: HostedAgent, atRoot: boolean): AgentCard {
    const { options } = agent;
    return create(AgentCardSchema, {
      name: options.name,
      description: options.description,
      version: options.version,
      provider: options.provider,
      documentationUrl: options.documentationUrl,
      iconUrl: options.iconUrl,
      supportedInterfaces: this.wires.wires.map((wire) => ({
        ...wire.addressOf(agent, atRoot),
        protocolBinding: wire.binding,
        protocolVersion: SUPPORTED_VERSIONS[0],
      })),
      capabilities: {
        streaming: options.streaming ?? true,
        pushNotifications: options.pushNotifications ?? false,
        extendedAgentCard: options.extendedAgentCard ?? false,
        extensions: [...(options.extensions ?? [])],
      },
      securitySchemes: this.security.schemesOf(agent),
      securityRequirements: [...this.security.requirementsOf(agent)],
      defaultInputModes: [...(options.defaultInputModes ?? DEFAULT_MODES)],
      defaultOutputModes: [...(options.defaultOutputModes ?? DEFAULT_MODES)],
      skills: agent.skills.filter(({ options: { visibility } }) => visibility !== 'extended').map((skill) => this.skill(agent, skill)),
    });
  }

  skill(agent: HostedAgent, skill: HostedSkill): AgentSkill {
    const { id, name, description, tags, examples, inputModes, outputModes } = skill.options;
    return create(AgentSkillSchema, {
      id,
      name,
      description,
      tags: [...tags],
      examples: [...(examples ?? [])],
      inputModes: [...(inputModes ?? [])],
      outputModes: [...(outputModes ?? [])],
      securityRequirements: [...this.security.skillRequirementsOf(agent, skill)],
    });
  }
}
