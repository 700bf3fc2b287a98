import { toJson } from '@bufbuild/protobuf';
import {
  type AgentSecurity,
  type HostedAgent,
  type SchemeRequirement,
  SecurityRequirementSchema,
  SecuritySchemeSchema,
  type SkillOptions,
} from '@a2a/a2a-core';
import {
  type A2aAuthOptions,
  apiKeyScheme,
  httpBasicScheme,
  httpBearerScheme,
  mutualTlsScheme,
  type OAuth2Flow,
  oauth2Scheme,
  openIdConnectScheme,
} from '../src/index.js';
import { AuthHost } from './support/auth-host.js';
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
