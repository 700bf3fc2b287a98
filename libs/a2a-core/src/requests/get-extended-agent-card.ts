import { Injectable } from '@nestjs/common';
import { ExtendedAgentCards } from '../cards/extended-agent-cards.js';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { type CallContext } from '../call/call-context.js';
import { type AgentCard } from '../gen/a2a_pb.js';
import { A2aError, ExtendedAgentCardNotConfiguredError } from '../protocol/errors.js';

/** GetExtendedAgentCard (A2A §3.1.11): only for callers who are authenticated, whatever the card declares. */
@Injectable()
export class GetExtendedAgentCard {
  constructor(private readonly cards: ExtendedAgentCards) {}

  async get(agent: HostedAgent, call: CallContext): Promise<AgentCard> {
    if (!call.principal.authenticated) throw new A2aError('UNAUTHENTICATED', 'The extended card needs an authenticated caller');
    const card = await this.cards.cardFor(agent, call);
    if (!card) throw new ExtendedAgentCardNotConfiguredError();
    return card;
  }
}
