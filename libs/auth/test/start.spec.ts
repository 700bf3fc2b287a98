import { toJson } from '@bufbuild/protobuf';
import { Module } from '@nestjs/common';
import {
  type AgentSecurity,
  type HostedAgent,
  type SchemeRequirement,
  SecurityRequirementSchema,
  SecuritySchemeSchema,
  type SkillOptions,
} from '@a2a/a2a-core';
import {
  A2aAuthModule,
  type A2aAuthOptions,
  apiKeyScheme,
  hashApiKey,
  httpBasicScheme,
  httpBearerScheme,
  mutualTlsScheme,
  type OAuth2Flow,
  oauth2Scheme,
  openIdConnectScheme,
} from '../src/index.js';
import { AuthHost, headers } from './support/auth-host.js';
import { hostedAgent } from './support/hosted-agents.js';

const jwt = { issuer: 'https://login.example.com' };
const URLS = { authorizationUrl: 'https://as.example/a', tokenUrl: 'https://as.example/t', scopes: { read: 'Read' } };
const FLOWS: readonly OAuth2Flow[] = [
  { authorizationCode: { ...URLS, pkceRequired: true, refreshUrl: 'https://as.example/r' } },
  { clientCredentials: { tokenUrl: URLS.tokenUrl, scopes: URLS.scopes } },
  { deviceCode: { deviceAuthorizationUrl: 'https://as.example/d', tokenUrl: URLS.tokenUrl, scopes: URLS.scopes } },
  { implicit: { authorizationUrl: URLS.authorizationUrl, scopes: URLS.scopes } },
  { password: { tokenUrl: URLS.tokenUrl, scopes: URLS.scopes } },
];
const key = apiKeyScheme({ in: 'header', name: 'X-API-Key', keys: [] });

async function start(options: A2aAuthOptions, agents: readonly HostedAgent[] = []): Promise<AuthHost> {
  return AuthHost.start(options, agents);
}

const agent = (security: AgentSecurity, skills: readonly Partial<SkillOptions>[] = []): HostedAgent =>
  hostedAgent({ id: 'a', security }, skills);

describe('a wire that an agent is served over', () => {
  const keyIn = (place: 'header' | 'query' | 'cookie', name: string) => apiKeyScheme({ in: place, name, keys: [] });
  const schemes = {
    key,
    bytes: keyIn('header', 'X-Key-Bin'),
    odd: keyIn('query', 'api~key'),
    cookie: keyIn('cookie', 'api~key'),
    certificate: mutualTlsScheme(),
  };
  /** As gRPC is: names of metadata, and certificates where they are asked for. */
  const grpc = (certificates: boolean) => ({
    binding: 'GRPC',
    credentials: { certificates, header: (name: string) => /^[0-9a-z_.-]+$/.test(name) && !name.endsWith('-bin') },
    addressOf: () => ({ url: 'agents.example:443' }),
  });
  const http = { binding: 'JSONRPC', addressOf: () => ({ url: 'https://agents.example' }) };
  const serve = async (requirements: readonly SchemeRequirement[], options: A2aAuthOptions = {}, certificates = false): Promise<void> => {
    const host = await AuthHost.start({ schemes, ...options }, [agent({ requirements })], { wires: [http, grpc(certificates)] });
    await host.stop();
  };

  it.each<[string, readonly SchemeRequirement[], RegExp]>([
    [
      'a certificate that nobody asks for',
      [{ certificate: [] }],
      /"a" over GRPC.*"certificate" needs a client certificate.*clientCaFile.*Add an/,
    ],
    ['bytes for a name', [{ bytes: [] }], /"bytes" needs a header called "X-Key-Bin"/],
    ['a name that is none there', [{ odd: [] }, { bytes: [] }], /"odd" needs a query called "api~key".*"bytes" needs/],
    ['one of two things needed together', [{ key: [], certificate: [] }], /"certificate" needs a client certificate/],
  ])('lets somebody in: not with %s', async (_, requirements, message) => {
    await expect(serve(requirements)).rejects.toThrow(message);
  });

  it('is open where one alternative can be sent, or a certificate can be shown', async () => {
    const open = [
      serve([]),
      serve([{ certificate: [] }, { key: [] }]),
      serve([{ certificate: [] }, {}]),
      serve([{ cookie: [] }]),
      serve([{ certificate: [] }], {}, true),
      serve([{ certificate: [] }], { clientCertificates: { trustedProxies: ['10.0.0.1'] } }),
    ];
    await expect(Promise.all(open)).resolves.toHaveLength(6);
  });
});

describe('a host refuses to start', () => {
  it.each<[string, A2aAuthOptions, readonly HostedAgent[], RegExp]>([
    [
      'with a scheme that nobody declared',
      { schemes: {} },
      [agent({ requirements: [{ nothing: [] }] })],
      /"a" asks for the scheme "nothing".*Add it/,
    ],
    ['with a skill that asks for one', { schemes: {} }, [agent({}, [{ security: [{ nothing: [] }] }])], /asks for the scheme "nothing"/],
    [
      'with tokens and no audience',
      { schemes: { t: httpBearerScheme({ tokens: { jwt } }) } },
      [agent({ requirements: [{ t: [] }] })],
      /has no audience.*Add security.audience/,
    ],
    [
      'with scopes that no scheme could grant',
      { schemes: { key } },
      [agent({}, [{ scopes: ['x'] }])],
      /needs scopes, but neither names a scheme/,
    ],
    ['with security for an agent it does not have', { agents: { ghost: {} } }, [], /"ghost", which this host does not have/],
    ['with a scheme of an odd name', { schemes: { 'a b': key } }, [], /"a b" cannot name/],
    [
      'with a kind that nothing verifies',
      { schemes: { odd: { ...key, kind: 'odd' } } },
      [],
      /no provider verifies .*@VerifiesScheme\('odd'\)/,
    ],
    [
      'with an issuer reached without TLS',
      { schemes: { t: httpBearerScheme({ tokens: { jwt: { issuer: 'http://login.example.com' } } }) } },
      [],
      /"t".*https URL/,
    ],
    [
      'with a token URL without TLS',
      { schemes: { t: oauth2Scheme({ flow: { clientCredentials: { tokenUrl: 'http://as.example/t', scopes: {} } }, tokens: { jwt } }) } },
      [],
      /tokenUrl has to be an https URL/,
    ],
    [
      'with a tolerance of an hour',
      { schemes: { t: httpBearerScheme({ tokens: { jwt: { ...jwt, clockToleranceSeconds: 3_600 } } }) } },
      [],
      /at most 60/,
    ],
    [
      'with a discovery URL of which the issuer cannot be told',
      { schemes: { t: openIdConnectScheme({ openIdConnectUrl: 'https://login.example.com/d' }) } },
      [],
      /issuer has to be given/,
    ],
    [
      'with an API key in clear text',
      { schemes: { k: apiKeyScheme({ in: 'header', name: 'k', keys: [{ sha256: 'secret-key', subject: 'x' }] }) } },
      [],
      /hashApiKey/,
    ],
    [
      'with a password in clear text',
      { schemes: { b: httpBasicScheme({ users: [{ username: 'x', passwordHash: 'password' }] }) } },
      [],
      /hashPassword/,
    ],
    [
      'with a header that cannot exist',
      { schemes: { k: apiKeyScheme({ in: 'header', name: 'a b', keys: [] }) } },
      [],
      /cannot be the name of a header/,
    ],
    [
      'with a proxy that is no address',
      { clientCertificates: { trustedProxies: ['proxy.local'] } },
      [],
      /"proxy.local" is neither an address/,
    ],
  ])('%s', async (_name, options, agents, message) => {
    await expect(start(options, agents)).rejects.toThrow(message);
  });
});

describe('what a host enforces is what its cards say [SEC-12, SEC-13]', () => {
  const schemes = {
    key,
    basic: httpBasicScheme({ users: [] }),
    bearer: httpBearerScheme({ tokens: { jwt } }),
    oidc: openIdConnectScheme({
      openIdConnectUrl: 'https://login.example.com/.well-known/openid-configuration',
      description: 'Corporate login',
    }),
    cert: mutualTlsScheme(),
    ...Object.fromEntries(FLOWS.map((flow) => [Object.keys(flow)[0], oauth2Scheme({ flow, tokens: { jwt } })])),
  };

  it('shows every kind of scheme in its own form', async () => {
    const requirements = Object.keys(schemes).map((name) => ({ [name]: [] }));
    const host = await start({ schemes }, [agent({ requirements, audience: 'urn:a' })]);
    const cards = Object.entries(host.cards.schemesOf(host.agent('a'))).map(([name, scheme]) => [
      name,
      toJson(SecuritySchemeSchema, scheme),
    ]);
    expect(Object.fromEntries(cards)).toEqual({
      key: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
      basic: { httpAuthSecurityScheme: { scheme: 'Basic' } },
      bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } },
      oidc: {
        openIdConnectSecurityScheme: {
          openIdConnectUrl: 'https://login.example.com/.well-known/openid-configuration',
          description: 'Corporate login',
        },
      },
      cert: { mtlsSecurityScheme: {} },
      authorizationCode: {
        oauth2SecurityScheme: { flows: { authorizationCode: { ...URLS, refreshUrl: 'https://as.example/r', pkceRequired: true } } },
      },
      clientCredentials: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: URLS.tokenUrl, scopes: URLS.scopes } } } },
      deviceCode: {
        oauth2SecurityScheme: {
          flows: { deviceCode: { deviceAuthorizationUrl: 'https://as.example/d', tokenUrl: URLS.tokenUrl, scopes: URLS.scopes } },
        },
      },
      implicit: { oauth2SecurityScheme: { flows: { implicit: { authorizationUrl: URLS.authorizationUrl, scopes: URLS.scopes } } } },
      password: { oauth2SecurityScheme: { flows: { password: { tokenUrl: URLS.tokenUrl, scopes: URLS.scopes } } } },
    });
    await host.stop();
  });

  it('warns of deprecated flows and of keys in URLs [SEC-11]', async () => {
    const host = await start({ schemes: { ...schemes, query: apiKeyScheme({ in: 'query', name: 'k', keys: [] }) } });
    expect(host.logger.lines.filter((line) => line.includes('deprecated')).map((line) => JSON.parse(line).scheme)).toEqual([
      'implicit',
      'password',
    ]);
    expect(host.logger.lines.join()).toContain('API keys in URLs');
    await host.stop();
  });

  it('shows only schemes that the agent or its skills name', async () => {
    const host = await start({ schemes }, [
      agent({ requirements: [{ key: [] }] }, [{ security: [{ cert: [] }] }]),
      hostedAgent({ id: 'open' }),
    ]);
    expect(Object.keys(host.cards.schemesOf(host.agent('a')))).toEqual(['key', 'cert']);
    expect(host.cards.schemesOf(host.agent('open'))).toEqual({});
    await host.stop();
  });

  it('shows alternatives, ANDs and scopes as they are declared', async () => {
    const requirements: SchemeRequirement[] = [{ key: [], cert: [] }, { bearer: ['read', 'write'] }, {}];
    const host = await start({ schemes }, [agent({ requirements, audience: 'urn:a' })]);
    expect(host.cards.requirementsOf(host.agent('a')).map((requirement) => toJson(SecurityRequirementSchema, requirement))).toEqual([
      { schemes: { key: {}, cert: {} } },
      { schemes: { bearer: { list: ['read', 'write'] } } },
      {},
    ]);
    await host.stop();
  });

  it('turns scopes of a skill into requirements that the agent’s own schemes can meet', async () => {
    const requirements: SchemeRequirement[] = [{ key: [], bearer: ['use'] }, { key: [] }, {}];
    const host = await start({ schemes }, [agent({ requirements, audience: 'urn:a' }, [{ scopes: ['pay'] }])]);
    const [skill] = host.agent('a').skills;
    expect(
      host.cards.skillRequirementsOf(host.agent('a'), skill!).map((requirement) => toJson(SecurityRequirementSchema, requirement)),
    ).toEqual([{ schemes: { key: {}, bearer: { list: ['use', 'pay'] } } }, { schemes: { key: { list: ['pay'] } } }]);
    await host.stop();
  });

  it('lets the host’s options replace what an agent declares', async () => {
    const host = await start({ schemes, agents: { a: { requirements: [{ basic: [] }] } } }, [agent({ requirements: [{ key: [] }] })]);
    expect(Object.keys(host.cards.schemesOf(host.agent('a')))).toEqual(['basic']);
    expect((await host.call({})).error?.details.challenges).toEqual(['Basic realm="a", charset="UTF-8"']);
    await host.stop();
  });

  it('points to the agent’s metadata in challenges (RFC 9728)', async () => {
    const resourceMetadataUrl = 'https://agents.example.com/.well-known/oauth-protected-resource/a';
    const host = await start({ schemes }, [agent({ requirements: [{ bearer: ['read'] }], audience: 'urn:a', resourceMetadataUrl })]);
    expect((await host.call({})).error?.details.challenges).toEqual([
      `Bearer realm="a", scope="read", resource_metadata="${resourceMetadataUrl}"`,
    ]);
    await host.stop();
  });
});

@Module({ providers: [{ provide: 'KEY', useValue: 'from-config' }], exports: ['KEY'] })
class Config {}

it('takes its options from other providers', async () => {
  const module = A2aAuthModule.forRootAsync({
    imports: [Config],
    inject: ['KEY'],
    useFactory: async (configured: string) => ({
      schemes: { key: apiKeyScheme({ in: 'header', name: 'k', keys: [{ sha256: hashApiKey(configured), subject: 'x' }] }) },
    }),
  });
  const host = await AuthHost.start({}, [agent({ requirements: [{ key: [] }] })], { module });
  expect((await host.call(headers({ k: 'from-config' }))).principal?.subject).toBe('x');
  await host.stop();
});
