import { type CallSeed, type SchemeRequirement } from '@a2a/a2a-core';
import {
  type A2aAuthOptions,
  apiKeyScheme,
  hashApiKey,
  hashPassword,
  httpBasicScheme,
  httpBearerScheme,
  mutualTlsScheme,
} from '../src/index.js';
import { AuthHost } from './support/auth-host.js';
import { makeCertificate, thumbprint } from './support/certificates.js';
import { hostedAgent } from './support/hosted-agents.js';
import { IdentityProvider } from './support/identity-provider.js';

const AUDIENCE = 'urn:agent:a';
const CERTIFICATE = makeCertificate({ uris: ['spiffe://example.org/billing'] });
const OTHER_CERTIFICATE = makeCertificate({ uris: ['spiffe://example.org/other'] });

/** What each agent asks: an OR of ANDs. */
const AGENTS: Readonly<Record<string, readonly SchemeRequirement[]>> = {
  open: [],
  jwt: [{ corporate: [] }],
  read: [{ corporate: ['read'] }],
  readWrite: [{ corporate: ['read', 'write'] }],
  key: [{ key: [] }],
  keyRead: [{ key: ['read'] }],
  basic: [{ basic: [] }],
  cert: [{ cert: [] }],
  either: [{ corporate: [] }, { key: [] }],
  eitherRead: [{ corporate: ['read'] }, { key: [] }],
  both: [{ key: [], cert: [] }],
  bothRead: [{ cert: [], corporate: ['read'] }],
  bothOrBasic: [{ key: [], cert: [] }, { basic: [] }],
  mixed: [{ corporate: [] }, {}],
  mixedFirst: [{}, { key: [] }],
  dead: [{ dead: [] }],
  deadOrKey: [{ dead: [] }, { key: [] }],
  deadAndKey: [{ dead: [], key: [] }],
  readOrDead: [{ key: ['read'] }, { dead: [] }],
};

type Credential =
  | 'jwt'
  | 'jwt read'
  | 'jwt expired'
  | 'jwt for another'
  | 'jwt bound'
  | 'jwt of dead issuer'
  | 'key'
  | 'key read'
  | 'wrong key'
  | 'basic'
  | 'wrong basic'
  | 'unreadable basic'
  | 'cert'
  | 'other cert'
  | 'unverified cert'
  | 'foreign scheme';

/** Agent, credentials, and who the caller is or why the call is refused. */
const ROWS: readonly (readonly [string, readonly Credential[], string])[] = [
  ['open', [], 'anonymous'],
  ['open', ['jwt expired'], 'anonymous'],
  ['open', ['jwt'], 'anonymous'],
  ['jwt', [], 'UNAUTHENTICATED'],
  ['jwt', ['jwt'], 'alice'],
  ['jwt', ['jwt expired'], 'UNAUTHENTICATED'],
  ['jwt', ['jwt for another'], 'UNAUTHENTICATED'],
  ['jwt', ['key'], 'UNAUTHENTICATED'],
  ['jwt', ['basic'], 'UNAUTHENTICATED'],
  ['jwt', ['foreign scheme'], 'UNAUTHENTICATED'],
  ['jwt', ['jwt bound'], 'UNAUTHENTICATED'],
  ['jwt', ['jwt bound', 'cert'], 'alice'],
  ['jwt', ['jwt bound', 'other cert'], 'UNAUTHENTICATED'],
  ['read', ['jwt'], 'PERMISSION_DENIED'],
  ['read', ['jwt read'], 'alice'],
  ['readWrite', ['jwt read'], 'PERMISSION_DENIED'],
  ['key', ['key'], 'robot'],
  ['key', ['wrong key'], 'UNAUTHENTICATED'],
  ['key', ['jwt'], 'UNAUTHENTICATED'],
  ['keyRead', ['key'], 'PERMISSION_DENIED'],
  ['keyRead', ['key read'], 'reader'],
  ['basic', ['basic'], 'bob'],
  ['basic', ['wrong basic'], 'UNAUTHENTICATED'],
  ['basic', ['unreadable basic'], 'INVALID_REQUEST'],
  ['basic', ['jwt'], 'UNAUTHENTICATED'],
  ['cert', ['cert'], 'spiffe://example.org/billing'],
  ['cert', ['unverified cert'], 'UNAUTHENTICATED'],
  ['cert', [], 'UNAUTHENTICATED'],
  ['either', ['jwt', 'key'], 'alice'],
  ['either', ['key'], 'robot'],
  ['either', ['jwt expired', 'key'], 'robot'],
  ['either', ['jwt expired'], 'UNAUTHENTICATED'],
  ['eitherRead', ['jwt', 'wrong key'], 'PERMISSION_DENIED'],
  ['eitherRead', ['jwt', 'key'], 'robot'],
  ['both', ['key', 'cert'], 'robot'],
  ['both', ['key'], 'UNAUTHENTICATED'],
  ['both', ['cert'], 'UNAUTHENTICATED'],
  ['both', ['wrong key', 'cert'], 'UNAUTHENTICATED'],
  ['bothRead', ['cert', 'jwt read'], 'spiffe://example.org/billing'],
  ['bothRead', ['cert', 'jwt'], 'PERMISSION_DENIED'],
  ['bothOrBasic', ['key', 'unreadable basic'], 'INVALID_REQUEST'],
  ['mixed', [], 'anonymous'],
  ['mixed', ['jwt'], 'alice'],
  ['mixed', ['jwt expired'], 'UNAUTHENTICATED'],
  ['mixedFirst', ['key'], 'robot'],
  ['mixedFirst', ['wrong key'], 'UNAUTHENTICATED'],
  ['dead', ['jwt of dead issuer'], 'UNAVAILABLE'],
  ['dead', [], 'UNAUTHENTICATED'],
  ['deadOrKey', ['jwt of dead issuer', 'key'], 'robot'],
  ['deadOrKey', ['jwt of dead issuer', 'wrong key'], 'UNAVAILABLE'],
  ['deadAndKey', ['jwt of dead issuer', 'wrong key'], 'UNAUTHENTICATED'],
  ['deadAndKey', ['jwt of dead issuer', 'key'], 'UNAVAILABLE'],
  ['readOrDead', ['jwt of dead issuer', 'key'], 'PERMISSION_DENIED'],
];

describe('the policy matrix [SEC-04, SEC-06, SEC-12]', () => {
  let provider: IdentityProvider;
  let deadIssuer: IdentityProvider;
  let host: AuthHost;

  beforeAll(async () => {
    provider = await IdentityProvider.start();
    deadIssuer = await IdentityProvider.start();
    deadIssuer.mood = 'error';
    const agents = Object.entries(AGENTS).map(([id, requirements]) => hostedAgent({ id, security: { requirements, audience: AUDIENCE } }));
    host = await AuthHost.start(await options(provider, deadIssuer), agents);
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
    const closed = await AuthHost.start(await options(provider, deadIssuer), [
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

  async function seedWith(credentials: readonly Credential[]): Promise<Partial<CallSeed>> {
    const headers = new Map<string, string>();
    let seed: Partial<CallSeed> = { headers };
    const token = (claims: Record<string, unknown>, from = provider): Promise<string> => from.token(host.clock.seconds, claims);
    const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
    const set: Record<Credential, () => Promise<void> | void> = {
      jwt: async () => void headers.set('authorization', `Bearer ${await token({})}`),
      'jwt read': async () => void headers.set('authorization', `bearer ${await token({ scope: 'read other' })}`),
      'jwt expired': async () => void headers.set('authorization', `Bearer ${await token({ exp: host.clock.seconds - 100 })}`),
      'jwt for another': async () => void headers.set('authorization', `Bearer ${await token({ aud: 'urn:agent:b' })}`),
      'jwt bound': async () => void headers.set('authorization', `Bearer ${await token({ cnf: { 'x5t#S256': thumbprint(CERTIFICATE) } })}`),
      'jwt of dead issuer': async () => void headers.set('authorization', `Bearer ${await token({}, deadIssuer)}`),
      key: () => void headers.set('x-api-key', 'robot-key'),
      'key read': () => void headers.set('x-api-key', 'reader-key'),
      'wrong key': () => void headers.set('x-api-key', 'no-key'),
      basic: () => void headers.set('authorization', basic('bob:right: with colon')),
      'wrong basic': () => void headers.set('authorization', basic('bob:wrong')),
      'unreadable basic': () => void headers.set('authorization', 'Basic %%%'),
      cert: () => void (seed = { ...seed, peerCertificate: { der: CERTIFICATE, verified: true } }),
      'other cert': () => void (seed = { ...seed, peerCertificate: { der: OTHER_CERTIFICATE, verified: true } }),
      'unverified cert': () => void (seed = { ...seed, peerCertificate: { der: CERTIFICATE, verified: false } }),
      'foreign scheme': () => void headers.set('authorization', 'Negotiate abc'),
    };
    for (const credential of credentials) await set[credential]();
    return seed;
  }
});

async function options(provider: IdentityProvider, deadIssuer: IdentityProvider): Promise<A2aAuthOptions> {
  const jwt = ({ issuer, jwksUri }: IdentityProvider) => httpBearerScheme({ tokens: { jwt: { issuer, jwksUri } } });
  return {
    authFailures: { failures: 10_000 },
    schemes: {
      corporate: jwt(provider),
      dead: jwt(deadIssuer),
      key: apiKeyScheme({
        in: 'header',
        name: 'X-API-Key',
        keys: [
          { sha256: hashApiKey('robot-key'), subject: 'robot' },
          { sha256: hashApiKey('reader-key'), subject: 'reader', scopes: ['read'] },
        ],
      }),
      basic: httpBasicScheme({ users: [{ username: 'bob', passwordHash: await hashPassword('right: with colon') }] }),
      cert: mutualTlsScheme(),
    },
  };
}
