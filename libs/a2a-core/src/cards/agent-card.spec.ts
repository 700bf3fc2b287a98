import { TestEngine } from '../testing/test-engine.js';
import { messageToJson } from '../protocol/proto-json.js';
import { AgentCardSchema } from '../gen/a2a_pb.js';
import { EVENT_SEQUENCE_EXTENSION } from '../extensions/event-sequence.extension.js';
import { Agent } from '../agents/agent.decorator.js';
import { AgentCardService } from './agent-card.service.js';
import { AgentRegistry } from '../agents/agent-registry.js';
import { AgentSkill } from '../agents/agent-skill.decorator.js';

@Agent({
  id: 'cards',
  name: 'Cards',
  description: 'Has a card',
  version: '2.1.0',
  streaming: false,
  provider: { organization: 'Example', url: 'https://example.com' },
  extensions: [EVENT_SEQUENCE_EXTENSION],
})
class CardAgent {}

@AgentSkill({ id: 'one', name: 'One', description: 'The first', tags: ['a'], outputModes: ['application/json'] })
class One {
  execute(): string {
    return '1';
  }
}

describe('a card', () => {
  let engine: TestEngine;
  beforeAll(async () => (engine = await TestEngine.start([[CardAgent, One]])));
  afterAll(() => engine.close());

  const served = () => engine.get(AgentCardService).publicCard(engine.get(AgentRegistry).defaultAgent, true);

  it('says what agent, skills and wires say, and no more [CARD-03, CARD-05]', () => {
    expect(JSON.parse(served().body)).toEqual({
      name: 'Cards',
      description: 'Has a card',
      version: '2.1.0',
      provider: { organization: 'Example', url: 'https://example.com' },
      supportedInterfaces: [{ url: 'https://agents.example', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
      capabilities: {
        streaming: false,
        pushNotifications: false,
        extendedAgentCard: false,
        extensions: [{ uri: EVENT_SEQUENCE_EXTENSION.uri, description: EVENT_SEQUENCE_EXTENSION.description }],
      },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 'one', name: 'One', description: 'The first', tags: ['a'], outputModes: ['application/json'] }],
    });
  });

  it('has a strong validator and a date without fractions [CACHE-03, CACHE-04]', () => {
    const { etag, lastModified, card, body } = served();
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    expect(lastModified.getMilliseconds()).toBe(0);
    expect(JSON.stringify(messageToJson(AgentCardSchema, card))).toBe(body);
  });
});
