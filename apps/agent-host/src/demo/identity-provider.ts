import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { errors, type JWK, Provider } from 'oidc-provider';
import { exportJWK, generateKeyPair } from 'jose';
import { DEMO_CLIENTS, DEMO_SCOPES } from './demo.clients.js';

/** A real OAuth 2.0 server on this machine, for the demo and for tests. Its keys and tokens end with the process. */
export interface DemoIdentityProvider {
  /** Such as `http://127.0.0.1:4000`; tokens name it in `iss`. */
  readonly issuer: string;
  stop(): Promise<void>;
}

/** Five minutes. */
const TOKEN_SECONDS = 300;

/**
 * Starts an identity provider that gives programs JWT access tokens (RFC 9068) for one agent, by client credentials.
 *
 * @param port on 127.0.0.1; 0 for any
 * @param audience what tokens name as their audience; clients ask for it as `resource` (RFC 8707)
 */
export async function startDemoIdentityProvider(port: number, audience: string): Promise<DemoIdentityProvider> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('request', (await makeProvider(issuer, audience)).callback());
  return {
    issuer,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function makeProvider(issuer: string, audience: string): Promise<Provider> {
  const tenants = new Map(DEMO_CLIENTS.map(({ id, tenant }) => [id, tenant]));
  return new Provider(issuer, {
    clients: DEMO_CLIENTS.map(({ id, secret, scopes }) => ({
      client_id: id,
      client_secret: secret,
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
      scope: scopes.join(' '),
      id_token_signed_response_alg: 'ES256',
    })),
    scopes: [...DEMO_SCOPES],
    ttl: { ClientCredentials: TOKEN_SECONDS },
    jwks: { keys: [await makeKey()] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => {
          if (resource !== audience) throw new errors.InvalidTarget();
          return {
            audience,
            scope: DEMO_SCOPES.join(' '),
            accessTokenFormat: 'jwt',
            accessTokenTTL: TOKEN_SECONDS,
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
    },
    // What makes a caller a member of a tenant: its identity provider says so.
    extraTokenClaims: (_context, token) => ({ tenants: [tenants.get(token.clientId ?? '')].filter((tenant) => tenant !== undefined) }),
  });
}

async function makeKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: 'demo', alg: 'ES256', use: 'sig' } as JWK;
}
