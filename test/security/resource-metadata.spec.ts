import { type ProtectedResource } from '@a2a/auth';
import { type Wire, WIRES } from '../conformance/conformance-host.js';
import { ALL_OPERATIONS, type SecurityJson, useProtectedHost } from './protected-host.js';
import { rawAnswer } from './raw-answer.js';

const BILLING = 'https://agents.example/agents/billing';

/** The audience of `billing` is an address, as a team would have it. */
const host = useProtectedHost({}, (file): SecurityJson => ({
  ...file,
  agents: { ...file.agents, billing: { ...(file.agents['billing'] as object), audience: BILLING } },
}));

const metadataAt = async (url: string): Promise<Response> => fetch(url);

describe.each(WIRES)('A client without a token, over %s', (wire: Wire) => {
  it('is told where to ask for one, and comes in with what it gets there [A1] (RFC 9728)', async () => {
    const client = await host().client('billing', wire);
    const refused = await rawAnswer(client, 'ListTasks', {});

    const [, url = ''] = /resource_metadata=\\*"([^"\\]+)/.exec(refused) ?? [];
    expect(url).toBe(`${host().httpUrl}/.well-known/oauth-protected-resource/agents/billing`);
    const { resource, authorization_servers, scopes_supported } = (await (await metadataAt(url)).json()) as ProtectedResource;
    expect([resource, authorization_servers]).toEqual([BILLING, [host().issuer.url]]);
    expect(scopes_supported).toEqual(expect.arrayContaining([...ALL_OPERATIONS.split(' '), 'billing.refund']));
    const headers = await host().bearer({ aud: resource, scope: scopes_supported?.join(' ') });
    expect((await client.listTasks({}, { headers })).tasks).toEqual([]);
  });
});

describe('Metadata of a protected resource', () => {
  it('are as public as the card, and say nothing of skills that only some may see', async () => {
    const answer = await metadataAt(`${host().httpUrl}/.well-known/oauth-protected-resource/agents/billing`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('application/json')]);
    expect(answer.headers.get('cache-control')).toContain('public');
    const document = (await answer.json()) as ProtectedResource;
    expect(document).toMatchObject({ resource_name: 'Billing desk', bearer_methods_supported: ['header'] });
    expect(document.scopes_supported).not.toContain('billing.approve');
  });

  it.each(['incident-analyst', 'nobody', '__proto__'])('are not there for %s, who takes no tokens', async (agentId) => {
    expect((await metadataAt(`${host().httpUrl}/.well-known/oauth-protected-resource/agents/${agentId}`)).status).toBe(404);
  });

  it('name the address of an agent whose audience is none', async () => {
    const answer = await metadataAt(`${host().httpUrl}/.well-known/oauth-protected-resource/agents/conformance`);
    expect(await answer.json()).toMatchObject({ resource: `${host().httpUrl}/agents/conformance` });
  });
});
