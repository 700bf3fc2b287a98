import { create } from '@bufbuild/protobuf';
import { type CallContext } from '../call/call-context.js';
import { ANONYMOUS } from '../call/principal.js';
import { GetExtendedAgentCardRequestSchema } from '../gen/a2a_pb.js';
import { incomingCall, TestEngine } from '../testing/test-engine.js';
import { Agent } from '../agents/agent.decorator.js';
import { AgentSkill } from '../agents/agent-skill.decorator.js';
import { AgentCardService } from './agent-card.service.js';
import { AgentRegistry } from '../agents/agent-registry.js';
import { ExtendedCard, type ExtendedCardDetails } from '../agents/extended-card.decorator.js';

const TEXTS = { name: 'N', description: 'Public words', version: '1.0.0' };
const SKILL = { name: 'S', description: 'D', tags: ['t'] };

@AgentSkill({ id: 'open', ...SKILL })
class OpenSkill {
  execute(): string {
    return '';
  }
}
@AgentSkill({ id: 'inner', ...SKILL, visibility: 'extended' })
class InnerSkill extends OpenSkill {}

@Agent({ id: 'told', ...TEXTS, extendedAgentCard: true })
class TellingAgent {
  @ExtendedCard()
  more({ principal }: CallContext): ExtendedCardDetails {
    return { description: `Words for ${principal.displayName}`, extensions: [{ uri: 'urn:quota' }] };
  }
}
@Agent({ id: 'declared', ...TEXTS, extendedAgentCard: true })
class DeclaringAgent {}
@Agent({ id: 'none', ...TEXTS })
class PlainAgent {}

describe('the extended card', () => {
  let engine: TestEngine;
  beforeAll(async () => {
    const agents = [
      [TellingAgent, OpenSkill, InnerSkill],
      [DeclaringAgent, OpenSkill],
      [PlainAgent, OpenSkill],
    ];
    engine = await TestEngine.start(agents, { defaultAgent: 'told' });
  });
  afterAll(() => engine.close());

  const ada = { ...ANONYMOUS, authenticated: true, owner: 'ada', displayName: 'Ada' };
  const cardFor = async (mount: string, principal = ada) =>
    (await engine.handler.getExtendedAgentCard(create(GetExtendedAgentCardRequestSchema), incomingCall({ mount, principal }))).response;

  it('is made for the caller: hidden skills, and what the agent adds [XCARD-02]', async () => {
    const card = await cardFor('told');
    expect(card.description).toBe('Words for Ada');
    expect(card.skills.map(({ id }) => id)).toEqual(['open', 'inner']);
    expect(card.capabilities?.extensions.map(({ uri }) => uri)).toEqual(['urn:quota']);
  });

  it('changes nothing on the public one [XCARD-05]', async () => {
    const agent = engine.get(AgentRegistry).defaultAgent;
    const { card } = engine.get(AgentCardService).publicCard(agent, true);
    expect([card.description, card.skills.map(({ id }) => id)]).toEqual(['Public words', ['open']]);
  });

  it.each([
    ['a caller without credentials', 'told', ANONYMOUS, 'UNAUTHENTICATED'],
    ['an agent that declares it and has none', 'declared', ada, 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'],
    ['an agent that does not declare it', 'none', ada, 'UNSUPPORTED_OPERATION'],
  ])('is refused for %s [XCARD-03, XCARD-07]', async (_whom, mount, principal, reason) => {
    await expect(cardFor(mount, principal as typeof ada)).rejects.toMatchObject({ reason });
  });
});
