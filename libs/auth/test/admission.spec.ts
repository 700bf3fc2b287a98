import { bearer } from './support/auth-host.js';
import { key, protectedAgent, useAuthorizingHosts } from './support/authorizing-host.js';
import { hostedAgent } from './support/hosted-agents.js';

const { start, token } = useAuthorizingHosts();

describe('admission', () => {
  it('admits nobody that identify has not seen', async () => {
    const host = await start([protectedAgent()]);
    const call = await host.identify(key('acme'));
    const forged = { ...call, principal: { ...call.principal } };
    await expect(host.authenticator.admit(forged, host.agent('a'), '', 'GetTask')).rejects.toThrow('did not come from identify');
  });

  it('survives a wire that copies the call', async () => {
    const host = await start([protectedAgent()]);
    const call = await host.identify(key('acme'));
    const principal = await host.authenticator.admit({ ...call }, host.agent('a'), '', 'GetTask');
    expect(principal.subject).toBe('robot');
  });

  it('A6: judges by the agent a message reached, whatever the headers said', async () => {
    const host = await start([
      protectedAgent(),
      hostedAgent({ id: 'b', security: { requirements: [{ corporate: [] }], audience: 'urn:agent:b' } }),
    ]);
    const call = await host.identify(bearer(await token(host)));
    await expect(host.authenticator.admit(call, host.agent('b'), '', 'GetTask')).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
  });
});
