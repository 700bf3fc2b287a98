import { AuthHost } from './support/auth-host.js';
import { hostedAgent } from './support/hosted-agents.js';
import { IdentityProvider } from '../../../test/support/identity-provider.js';
import { AGENTS, AUDIENCE, type Credential, matrixOptions, ROWS, show, type Shown } from '../../../test/support/policy-matrix.js';

describe('the policy matrix [SEC-04, SEC-06, SEC-12]', () => {
  let provider: IdentityProvider;
  let deadIssuer: IdentityProvider;
  let host: AuthHost;

  beforeAll(async () => {
    provider = await IdentityProvider.start();
    deadIssuer = await IdentityProvider.start();
    deadIssuer.mood = 'error';
    const agents = Object.entries(AGENTS).map(([id, requirements]) => hostedAgent({ id, security: { requirements, audience: AUDIENCE } }));
    host = await AuthHost.start(await matrixOptions({ provider, deadIssuer }), agents);
  });

  afterAll(async () => {
    await host.stop();
    await provider.stop();
    await deadIssuer.stop();
  });

  describe.each(['HTTP+JSON', 'JSONRPC', 'GRPC'])('over %s', (binding) => {
    it.each(ROWS)('%s, given %j: %s', async (agent, credentials, expected) => {
      const seed = { ...(await seedWith(credentials)), binding, mount: binding === 'GRPC' ? undefined : agent };
      const { principal, error } = await host.call(seed, { agent });
      expect(error?.reason ?? (principal?.authenticated ? principal.subject : 'anonymous')).toBe(expected);
    });
  });

  it('has the rows it was designed with, and more', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(43);
  });

  it('gives the challenges of all alternatives [A1]', async () => {
    const { error } = await host.call({ mount: 'either' });
    expect(error?.details.challenges).toEqual(['Bearer realm="either"', 'ApiKey realm="either", in="header", name="X-API-Key"']);
  });

  it('answers a missing credential the same, whatever the operation [A1]', async () => {
    const get = await host.call({ mount: 'either' }, { operation: 'GetTask', taskId: 'x' });
    const send = await host.call({ mount: 'either' }, { operation: 'SendMessage' });
    expect({ ...get.error, stack: '' }).toEqual({ ...send.error, stack: '' });
  });

  it('names the scope that is missing, and nothing else [B13]', async () => {
    const { error } = await host.call({ ...(await seedWith(['jwt read'])), mount: 'readWrite' });
    expect(error?.details).toEqual({
      metadata: { scope: 'write' },
      challenges: [
        'Bearer realm="readWrite", error="insufficient_scope", error_description="The access token does not grant the scope this needs", scope="read write"',
      ],
    });
  });

  it('refuses on gRPC, before any message, a caller whom no agent would let in', async () => {
    const closed = await AuthHost.start(await matrixOptions({ provider, deadIssuer }), [
      hostedAgent({ id: 'jwt', security: { requirements: [{ corporate: [] }], audience: AUDIENCE } }),
      hostedAgent({ id: 'key', security: { requirements: [{ key: [] }] } }),
    ]);
    await expect(closed.identify({ binding: 'GRPC' })).rejects.toMatchObject({
      reason: 'UNAUTHENTICATED',
      details: { challenges: ['Bearer realm="jwt"', 'ApiKey realm="key", in="header", name="X-API-Key"'] },
    });
    await expect(closed.identify({ binding: 'GRPC', ...(await seedWith(['key'])) })).resolves.toBeDefined();
    await closed.stop();
  });

  it('makes one caller of one call, however often it is admitted', async () => {
    const call = await host.identify({ ...(await seedWith(['key'])), binding: 'GRPC' });
    const first = await host.authenticator.admit(call, host.agent('key'), '', 'GetTask');
    expect(await host.authenticator.admit(call, host.agent('key'), '', 'ListTasks')).toBe(first);
  });

  function seedWith(credentials: readonly Credential[]): Promise<Shown> {
    return show(credentials, { provider, deadIssuer, nowSeconds: host.clock.seconds });
  }
});
