import { type AgentSecurity, type CallSeed, type HostedAgent } from '@a2a/a2a-core';
import { type A2aAuthOptions, apiKeyScheme, hashApiKey, httpBearerScheme, mutualTlsScheme } from '../../src/index.js';
import { makeCertificate } from '../../../../test/support/certificates.js';
import { IdentityProvider } from '../../../../test/support/identity-provider.js';
import { AuthHost, headers } from './auth-host.js';
import { hostedAgent } from './hosted-agents.js';

/** Of the agent `a`. */
export const AUDIENCE = 'urn:agent:a';
/** Of a service that the authority of clients knows. */
export const CERTIFICATE = makeCertificate({ uris: ['spiffe://example.org/billing'] });

/** What specs of authorization use. The functions are valid within a test. */
export interface AuthorizingHosts {
  readonly provider: () => IdentityProvider;
  /** A host that is stopped after the test. Its schemes: `corporate` (tokens), `key` (of acme or loner) and `cert`. */
  readonly start: (agents: readonly HostedAgent[], options?: A2aAuthOptions) => Promise<AuthHost>;
  /** Of alice, for the agent `a`. */
  readonly token: (host: AuthHost, claims?: Record<string, unknown>) => Promise<string>;
}

/** Starts an identity provider for a spec, and hosts that trust it. */
export function useAuthorizingHosts(): AuthorizingHosts {
  let provider: IdentityProvider;
  const hosts: AuthHost[] = [];

  beforeAll(async () => {
    provider = await IdentityProvider.start();
  });

  afterEach(async () => {
    await Promise.all(hosts.splice(0).map((host) => host.stop()));
  });

  afterAll(() => provider.stop());

  async function start(agents: readonly HostedAgent[], options: A2aAuthOptions = {}): Promise<AuthHost> {
    const { issuer, jwksUri } = provider;
    const host = await AuthHost.start(
      {
        schemes: {
          corporate: httpBearerScheme({ tokens: { jwt: { issuer, jwksUri, tenants: ['org', 'tenants'] } } }),
          key: apiKeyScheme({
            in: 'header',
            name: 'x-api-key',
            keys: [
              { sha256: hashApiKey('acme'), subject: 'robot', tenants: ['acme', 'globex'] },
              { sha256: hashApiKey('loner'), subject: 'loner' },
            ],
          }),
          cert: mutualTlsScheme({ grant: () => ({ tenants: ['globex', 'initech'] }) }),
        },
        ...options,
      },
      agents,
    );
    hosts.push(host);
    return host;
  }

  const token = (host: AuthHost, claims: Record<string, unknown> = {}) => provider.token(host.clock.seconds, claims);

  return { provider: () => provider, start, token };
}

/** The agent `a`, which asks for a token or a key. */
export function protectedAgent(more: Partial<AgentSecurity> = {}): HostedAgent {
  return hostedAgent({
    id: 'a',
    extendedAgentCard: true,
    security: { requirements: [{ corporate: [] }, { key: [] }], audience: AUDIENCE, ...more },
  });
}

/** Shows an API key. */
export function key(value: string): Pick<CallSeed, 'headers'> {
  return headers({ 'x-api-key': value });
}
