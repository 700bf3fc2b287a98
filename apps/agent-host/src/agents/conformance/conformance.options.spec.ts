import { agentOptionsOf } from './conformance.options.js';

describe('profiles of the conformance agent', () => {
  it('full streams, and asks for no extension', () => {
    expect(agentOptionsOf({ profile: 'full', extendedCard: false })).toMatchObject({
      streaming: true,
      extendedAgentCard: false,
      extensions: [],
    });
  });

  it('bare has neither streaming nor webhooks', () => {
    expect(agentOptionsOf({ profile: 'bare', extendedCard: true })).toMatchObject({
      streaming: false,
      pushNotifications: false,
      extendedAgentCard: false,
    });
  });

  it('extension requires one extension', () => {
    const { extensions } = agentOptionsOf({ profile: 'extension', extendedCard: false });
    expect(extensions).toMatchObject([{ uri: 'urn:a2a:tck:required-extension', required: true }]);
  });

  it('declares the extended card when asked to, in full only', () => {
    expect(agentOptionsOf({ profile: 'full', extendedCard: true }).extendedAgentCard).toBe(true);
    expect(agentOptionsOf({ profile: 'extension', extendedCard: true }).extendedAgentCard).toBe(false);
  });

  it('never takes a message for one it had before, because the kit repeats its ids', () => {
    expect(agentOptionsOf({ profile: 'full', extendedCard: false }).deduplicateMessages).toBe(false);
  });
});
