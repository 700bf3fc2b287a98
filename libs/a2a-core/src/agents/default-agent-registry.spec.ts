import { ANONYMOUS } from '../call/principal.js';
import { TestEngine } from '../testing/test-engine.js';
import { type AgentOptions, Agent } from './agent.decorator.js';
import { AgentRegistry } from './agent-registry.js';
import { AgentSkill } from './agent-skill.decorator.js';

const TEXTS = { name: 'Name', description: 'Description', version: '1.0.0' };

@AgentSkill({ id: 'hello', name: 'Hello', description: 'Says hello', tags: ['greeting'] })
class Hello {
  execute(): string {
    return 'hello';
  }
}

function agent(options: Partial<AgentOptions> & { id: string }) {
  @Agent({ ...TEXTS, ...options })
  class SomeAgent {}
  return [SomeAgent, Hello];
}

const seed = (facts: { binding?: string; mount?: string; pathTenant?: string }) => ({
  binding: 'JSONRPC',
  headers: new Map<string, string>(),
  signal: new AbortController().signal,
  principal: ANONYMOUS,
  ...facts,
});

describe('which agent a call is for', () => {
  let engine: TestEngine;
  let registry: AgentRegistry;
  beforeAll(async () => {
    engine = await TestEngine.start([agent({ id: 'one' }), agent({ id: 'two' })], { defaultAgent: 'one' });
    registry = engine.get(AgentRegistry);
  });
  afterAll(() => engine.close());

  const resolved = (facts: Parameters<typeof seed>[0], tenant = '') => {
    const { agent: found, tenant: customer } = registry.resolve(seed(facts), tenant);
    return [found.id, customer];
  };

  it.each([
    ['the default agent where the URL names none', {}, '', ['one', '']],
    ['the agent that the URL names', { mount: 'two' }, '', ['two', '']],
    ['the URL’s agent and the request’s tenant [TEN-04]', { mount: 'two' }, 'acme', ['two', 'acme']],
    ['the URL’s tenant [TEN-04]', { pathTenant: 'acme' }, '', ['one', 'acme']],
    ['a tenant called like an agent stays a tenant over HTTP', {}, 'two', ['one', 'two']],
    ['over gRPC, the agent that the tenant names', { binding: 'GRPC' }, 'two', ['two', '']],
    ['over gRPC, agent and customer', { binding: 'GRPC' }, 'two/acme', ['two', 'acme']],
    ['over gRPC, a customer of the default agent', { binding: 'GRPC' }, 'acme', ['one', 'acme']],
  ] as const)('is %s', (_what, facts, tenant, expected) => {
    expect(resolved(facts, tenant)).toEqual(expected);
  });

  it('knows no other mount', () => {
    expect(() => resolved({ mount: 'three' })).toThrow(expect.objectContaining({ reason: 'ROUTE_NOT_FOUND' }));
  });

  it('refuses two tenants in one request [TEN-04, B10]', () => {
    expect(() => resolved({ pathTenant: 'acme' }, 'other')).toThrow(expect.objectContaining({ reason: 'INVALID_PARAMS' }));
  });
});

describe('a host does not start', () => {
  it.each([
    ['with an id that does not fit a path', [agent({ id: 'a/b' })], undefined, 'choose another'],
    ['with an id that is a word of the protocol [TEN-07]', [agent({ id: 'tasks' })], undefined, 'word of the protocol'],
    ['with two agents of one id', [agent({ id: 'one' }), agent({ id: 'one' })], 'one', 'Two agents have the id "one"'],
    ['without a default among several', [agent({ id: 'one' }), agent({ id: 'two' })], undefined, 'set it to one of one, two'],
    ['with a default that is not there', [agent({ id: 'one' })], 'nobody', '"nobody" is not hosted'],
    [
      'with a card that lacks a description [CARD-05]',
      [agent({ id: 'one', description: '' })],
      undefined,
      'lacks name, description or version',
    ],
    [
      'with push notifications it does not have [CARD-03]',
      [agent({ id: 'one', pushNotifications: true })],
      undefined,
      'declares pushNotifications',
    ],
    ['with requests larger than 16 MiB', [agent({ id: 'one', limits: { requestBytes: 16_777_217 } })], undefined, 'url parts'],
    ['with a limit that is none', [agent({ id: 'one', limits: { parts: 0 } })], undefined, 'parts 0; a limit is a whole number from 1'],
    ['without any agent', [], undefined, 'No @Agent class was found'],
    ['with skills and no agent', [[Hello]], undefined, 'no @Agent class'],
  ] as const)('%s, and says what to do', async (_what, agents, defaultAgent, text) => {
    await expect(TestEngine.start(agents as never, { defaultAgent })).rejects.toThrow(text);
  });
});
