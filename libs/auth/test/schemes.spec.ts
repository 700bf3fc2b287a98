import { type ModuleRef } from '@nestjs/core';
import { type CallSeed } from '@a2a/a2a-core';
import {
  type ApiKey,
  apiKeyScheme,
  generateApiKey,
  hashApiKey,
  hashPassword,
  httpBasicScheme,
  httpBearerScheme,
  mutualTlsScheme,
  oauth2Scheme,
  openIdConnectScheme,
  type PreparedScheme,
  type SchemeDeclaration,
  type SchemeVerifier,
  TokenStrategies,
} from '../src/index.js';
import { ApiKeyScheme } from '../src/schemes/api-key.scheme.js';
import { HttpBasicScheme } from '../src/schemes/http-basic.scheme.js';
import { HttpBearerScheme } from '../src/schemes/http-bearer.scheme.js';
import { MutualTlsScheme } from '../src/schemes/mutual-tls.scheme.js';
import { OAuth2Scheme } from '../src/schemes/oauth2.scheme.js';
import { OpenIdConnectScheme } from '../src/schemes/open-id-connect.scheme.js';
import { IdentityProviders } from '../src/tokens/identity-providers.js';
import { schemeVerifierContract } from '../../../test/contracts/scheme-verifier.contract.js';
import { AuthHost, bearer, headers } from './support/auth-host.js';
import { makeCertificate } from '../../../test/support/certificates.js';
import { FakeClock } from './support/fake-clock.js';
import { hostedAgent } from './support/hosted-agents.js';
import { IdentityProvider } from '../../../test/support/identity-provider.js';
import { LoopbackHttp } from '../../../test/support/loopback-http.js';
import { RecordingLogger } from './support/recording-logger.js';

const clock = new FakeClock();
const logger = new RecordingLogger();
/** The schemes here are given what they need; none looks for a provider. */
const noModules = {} as ModuleRef;
const tokenStrategies = (): TokenStrategies => new TokenStrategies(new IdentityProviders(new LoopbackHttp(), clock, {}));

async function prepare<Settings>(verifier: SchemeVerifier<Settings>, declaration: SchemeDeclaration<Settings>): Promise<PreparedScheme> {
  return verifier.prepare({ ...declaration, name: 'x' });
}

const basic = (text: string): Partial<CallSeed> => headers({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

const ROBOT = [generateApiKey(), generateApiKey()];
const OTHER = generateApiKey();
const KEYS: ApiKey[] = [
  ...ROBOT.map((key) => ({ sha256: hashApiKey(key), subject: 'robot' })),
  { sha256: hashApiKey(OTHER), subject: 'other' },
  { sha256: hashApiKey('expired-key'), subject: 'robot', expiresAtMs: clock.now() },
];

describe.each(['header', 'query', 'cookie'] as const)('API keys in a %s', (place) => {
  const seedOf = (key: string): Partial<CallSeed> => {
    if (place === 'query') return { query: new Map([['key', [key]]]) };
    return headers(place === 'header' ? { key } : { cookie: `a=b; key=${key}` });
  };
  schemeVerifierContract(place, async () => ({
    prepared: await prepare(new ApiKeyScheme(noModules, clock, logger), apiKeyScheme({ in: place, name: 'key', keys: KEYS })),
    valid: ROBOT.map(seedOf),
    other: seedOf(OTHER),
    invalid: ['wrong-key', 'expired-key', ''].map(seedOf),
    secrets: [...ROBOT, OTHER, 'wrong-key', 'expired-key'],
  }));
});

schemeVerifierContract('HTTP basic', async () => {
  const users = [
    { username: 'bob', passwordHash: await hashPassword('pass:word ü') },
    { username: 'eve', passwordHash: await hashPassword('pass:word ü') },
  ];
  return {
    prepared: await prepare(new HttpBasicScheme(noModules, clock), httpBasicScheme({ users })),
    valid: [basic('bob:pass:word ü'), headers({ authorization: `bAsIc ${Buffer.from('bob:pass:word ü').toString('base64')}` })],
    other: basic('eve:pass:word ü'),
    invalid: [basic('bob:password'), basic('nobody:pass:word ü'), basic('bob:')],
    malformed: [headers({ authorization: 'Basic' }), headers({ authorization: 'Basic %%%' }), basic('no colon'), basic(':no name')],
    secrets: ['pass:word'],
  };
});

describe('schemes that take tokens', () => {
  let provider: IdentityProvider;
  const start = async (make: (provider: IdentityProvider) => Promise<PreparedScheme>) => {
    provider = await IdentityProvider.start();
    const token = (claims: Record<string, unknown> = {}): Promise<string> => provider.token(clock.seconds, claims);
    const [first, second, other, expired] = [
      await token(),
      await token({ scope: 'x' }),
      await token({ sub: 'eve' }),
      await token({ exp: 1 }),
    ];
    provider.opaqueTokens.set(first, { active: true, sub: 'alice', aud: 'a' });
    provider.opaqueTokens.set(second, { active: true, sub: 'alice', aud: 'a', scope: 'x' });
    provider.opaqueTokens.set(other, { active: true, sub: 'eve', aud: 'a' });
    return {
      prepared: await make(provider),
      valid: [bearer(first), bearer(second)],
      other: bearer(other),
      invalid: [bearer(expired), bearer('no-token'), bearer('a'.repeat(9_000)), bearer(`${first}x`)],
      malformed: [headers({ authorization: 'Bearer' }), bearer('two tokens'), bearer('a, Bearer b'), bearer('"quoted"')],
      secrets: [first, second, other, expired, first.split('.')[2] ?? 'unsigned'],
    };
  };
  const stop = (): Promise<void> => provider.stop();
  const clientCredentials = { clientCredentials: { tokenUrl: 'https://as.example/t', scopes: {} } };

  schemeVerifierContract(
    'HTTP bearer with JWTs',
    () =>
      start(({ issuer, jwksUri }) =>
        prepare(new HttpBearerScheme(tokenStrategies()), httpBearerScheme({ tokens: { jwt: { issuer, jwksUri } } })),
      ),
    stop,
  );
  schemeVerifierContract(
    'OAuth 2.0 with keys found in the metadata',
    () =>
      start(({ issuer }) =>
        prepare(new OAuth2Scheme(tokenStrategies(), logger), oauth2Scheme({ flow: clientCredentials, tokens: { jwt: { issuer } } })),
      ),
    stop,
  );
  schemeVerifierContract(
    'OAuth 2.0 with opaque tokens and discovered introspection',
    () =>
      start(({ issuer }) =>
        prepare(
          new OAuth2Scheme(tokenStrategies(), logger),
          oauth2Scheme({ flow: clientCredentials, tokens: { opaque: { issuer, clientId: 'host', clientSecret: 's3cret' } } }),
        ),
      ),
    stop,
  );
  schemeVerifierContract(
    'OpenID Connect',
    () =>
      start(({ discoveryUrl }) =>
        prepare(new OpenIdConnectScheme(tokenStrategies()), openIdConnectScheme({ openIdConnectUrl: discoveryUrl })),
      ),
    stop,
  );
});

schemeVerifierContract('mutual TLS', async () => {
  const certificate = (options: Parameters<typeof makeCertificate>[0], verified = true): Partial<CallSeed> => ({
    peerCertificate: { der: makeCertificate(options), verified },
  });
  return {
    prepared: await prepare(new MutualTlsScheme(clock), mutualTlsScheme()),
    valid: [certificate({ uris: ['spiffe://x/a'] }), certificate({ uris: ['spiffe://x/a'], dnsNames: ['other'] })],
    other: certificate({ uris: ['spiffe://x/b'] }),
    invalid: [certificate({ uris: ['spiffe://x/a'] }, false), certificate({ commonName: 'spiffe://x/a' })],
    secrets: [],
  };
});

describe('discovery', () => {
  it.each<[string, Record<string, unknown>]>([
    ['names another issuer', { issuer: 'https://other.example' }],
    ['names an issuer that only begins alike', { issuer: 'http://127.0.0.1' }],
    ['names no keys', { jwks_uri: undefined }],
    ['names keys in a file', { jwks_uri: 'file:///etc/passwd' }],
  ])('is not believed when the document %s', async (_name, metadata) => {
    const provider = await IdentityProvider.start();
    provider.metadata = metadata;
    const corporate = openIdConnectScheme({ openIdConnectUrl: provider.discoveryUrl });
    const host = await AuthHost.start({ schemes: { corporate } }, [
      hostedAgent({ id: 'a', security: { requirements: [{ corporate: [] }], audience: 'urn:agent:a' } }),
    ]);
    expect((await host.call(bearer(await provider.token(host.clock.seconds)))).error?.reason).toBe('UNAVAILABLE');
    expect(provider.fetches).toBe(0);
    await host.stop();
    await provider.stop();
  });
});
