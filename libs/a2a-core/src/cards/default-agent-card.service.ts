import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap, Optional } from '@nestjs/common';
import { Clock } from '../clock.js';
import { AgentCardSchema } from '../gen/a2a_pb.js';
import { messageToJson } from '../protocol/proto-json.js';
import { PushNotifications } from '../push/configs/push-notifications.js';
import { AgentCardBuilder } from './agent-card.builder.js';
import { checkCard } from './agent-card-check.js';
import { AgentCardService, type ServedCard } from './agent-card.service.js';
import { AgentCardSigner } from './agent-card.signer.js';
import { AgentRegistry } from '../agents/agent-registry.js';
import { type HostedAgent } from '../agents/hosted-agent.js';

/** Builds, checks and signs every card once, when the wires are known; then serves the same bytes to everybody. */
@Injectable()
export class DefaultAgentCardService extends AgentCardService implements OnApplicationBootstrap {
  readonly #cards = new Map<string, ServedCard>();

  constructor(
    private readonly registry: AgentRegistry,
    private readonly builder: AgentCardBuilder,
    private readonly signer: AgentCardSigner,
    private readonly clock: Clock,
    @Optional() private readonly push?: PushNotifications,
  ) {
    super();
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const agent of this.registry.agents) {
      await this.#prepare(agent, false);
      if (agent.isDefault) await this.#prepare(agent, true);
    }
  }

  publicCard(agent: HostedAgent, atRoot: boolean): ServedCard {
    const card = this.#cards.get(key(agent, atRoot));
    if (!card) throw new Error(`Agent ${agent.id} has no card at ${atRoot ? 'the root' : 'its mount'}`);
    return card;
  }

  async #prepare(agent: HostedAgent, atRoot: boolean): Promise<void> {
    const card = this.builder.build(agent, atRoot);
    const skills = agent.skills.map((skill) => this.builder.skill(agent, skill));
    checkCard(agent.id, { ...card, skills }, { pushNotifications: this.push !== undefined });
    card.signatures = [...(await this.signer.sign(card))];
    const body = JSON.stringify(messageToJson(AgentCardSchema, card));
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    this.#cards.set(key(agent, atRoot), { card, body, etag, lastModified: wholeSeconds(this.clock.now()) });
  }
}

function key(agent: HostedAgent, atRoot: boolean): string {
  return `${atRoot ? 'root' : 'mount'} ${agent.id}`;
}

/** HTTP dates have no fractions. */
function wholeSeconds(ms: number): Date {
  return new Date(Math.floor(ms / 1_000) * 1_000);
}
