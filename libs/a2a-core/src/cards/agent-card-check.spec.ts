import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type AgentCard, AgentCardSchema } from '../gen/a2a_pb.js';
import { checkCard } from './agent-card-check.js';

type CardInit = Exclude<MessageInitShape<typeof AgentCardSchema>, AgentCard>;

const SKILL = { id: 'refund', name: 'Refund', description: 'Pays back', tags: ['billing'] };
const CARD = {
  name: 'Billing',
  description: 'Knows invoices',
  version: '1.0.0',
  supportedInterfaces: [{ url: 'https://agents.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [SKILL],
} satisfies CardInit;

function check(changes: CardInit, pushNotifications = false): void {
  checkCard('billing', create(AgentCardSchema, { ...CARD, ...changes }), { pushNotifications });
}

const nothingIn = (members: string): string =>
  `The card of agent "billing" has nothing in ${members}; fill it in @Agent or @AgentSkill, or leave it out`;

describe('a card that a host starts with [CARD-05]', () => {
  it.each<[string, CardInit]>([
    ['is complete', {}],
    ['has no skills', { skills: [] }],
    ['explains a scope with no word', oauthWith({ read: '' })],
    ['has a flow without scopes [SEC-10]', oauthWith({})],
    ['lets an extension hold what it likes', { capabilities: { extensions: [{ uri: 'urn:x', params: { label: '' } }] } }],
    ['asks for a scheme without scopes', { securityRequirements: [{ schemes: { key: { list: [] } } }] }],
  ])('%s', (_, changes) => {
    expect(() => check(changes)).not.toThrow();
  });

  it.each<[string, CardInit]>([
    ['name', { name: '' }],
    ['description', { description: ' \n' }],
    ['version', { version: '' }],
    ['capabilities', { capabilities: undefined }],
    ['defaultInputModes', { defaultInputModes: [] }],
    ['defaultOutputModes[1]', { defaultOutputModes: ['text/plain', ''] }],
    ['documentationUrl', { documentationUrl: '' }],
    ['iconUrl', { iconUrl: ' ' }],
    ['provider.organization', { provider: { organization: '', url: 'https://example.com' } }],
    ['capabilities.extensions[0].uri', { capabilities: { extensions: [{ uri: ' ' }] } }],
    ['name of skill "refund"', { skills: [{ ...SKILL, name: '' }] }],
    ['description of skill "refund"', { skills: [{ ...SKILL, description: '\t' }] }],
    ['tags of skill "refund"', { skills: [{ ...SKILL, tags: [] }] }],
    ['tags[1] of skill "refund"', { skills: [{ ...SKILL, tags: ['billing', ''] }] }],
    ['examples[0] of skill "refund"', { skills: [{ ...SKILL, examples: [''] }] }],
    ['skills[1].id', { skills: [SKILL, { ...SKILL, id: '' }] }],
    ['securitySchemes.corp.oauth2SecurityScheme.flows.clientCredentials.tokenUrl', oauthWith({}, '')],
    ['name, description of skill "refund"', { name: '', skills: [{ ...SKILL, description: '' }] }],
  ])('has something in its %s', (members, changes) => {
    expect(() => check(changes)).toThrow(new Error(nothingIn(members)));
  });

  it('promises what is served, and names its skills once', () => {
    expect(() => check({ supportedInterfaces: [] })).toThrow('has no interface; switch on a wire');
    expect(() => check({ skills: [SKILL, SKILL] })).toThrow('has two skills "refund"; rename one of them');
    expect(() => check({ capabilities: { pushNotifications: true } })).toThrow('declares pushNotifications');
    expect(() => check({ capabilities: { pushNotifications: true } }, true)).not.toThrow();
  });
});

function oauthWith(scopes: Record<string, string>, tokenUrl = 'https://login.example/token'): CardInit {
  const flows = { flow: { case: 'clientCredentials', value: { tokenUrl, scopes } } } as const;
  return { securitySchemes: { corp: { scheme: { case: 'oauth2SecurityScheme', value: { flows } } } } };
}
