import { Module } from '@nestjs/common';
import { type AgentSecurity, type HostedAgent, type SchemeRequirement, type SkillOptions } from '@a2a/a2a-core';
import {
  A2aAuthModule,
  type A2aAuthOptions,
  apiKeyScheme,
  hashApiKey,
  httpBasicScheme,
  httpBearerScheme,
  mutualTlsScheme,
  oauth2Scheme,
  openIdConnectScheme,
} from '../src/index.js';
import { AuthHost, headers } from './support/auth-host.js';
import { hostedAgent } from './support/hosted-agents.js';

const jwt = { issuer: 'https://login.example.com' };
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
