import { type CallSeed } from '@a2a/a2a-core';
import {
  apiKeyScheme,
  type BasicUser,
  hashApiKey,
  hashPassword,
  httpBasicScheme,
  httpBearerScheme,
  mutualTlsScheme,
} from '../../src/index.js';
import { IdentityProvider } from '../../../../test/support/identity-provider.js';
import { type Answer, AuthHost, headers } from './auth-host.js';
import { FakeClock } from './fake-clock.js';
import { hostedAgent } from './hosted-agents.js';

/** Of every agent here. */
export const AUDIENCE = 'urn:agent:a';
/** A proxy whose word about certificates the host takes. */
export const PROXY = '10.0.0.5';
/** The only key: `right`, of the subject `robot`. */
export const KEYS = [{ sha256: hashApiKey('right'), subject: 'robot' }];

/** What specs of attacks use. The functions are valid within a test. */
export interface AttackedHost {
  readonly host: () => AuthHost;
  readonly provider: () => IdentityProvider;
  /** A call to the agent of that name. */
  readonly at: (mount: string, seed?: Partial<CallSeed>) => Promise<Answer>;
}

/**
 * Starts a host for each test of a spec, with an agent for each kind of credential, called as its scheme is; `open` asks for none, and
 * `demo` shares one owner. `Date` is fake, so that throttles can be waited for.
 */
export function useAttackedHost(): AttackedHost {
  let provider: IdentityProvider;
  let host: AuthHost;
  let users: BasicUser[];

  beforeAll(async () => {
    users = [
      { username: 'bob', passwordHash: await hashPassword('right') },
      { username: 'eve', passwordHash: await hashPassword('other') },
    ];
  });

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'clearTimeout', 'queueMicrotask', 'performance'] });
    provider = await IdentityProvider.start();
    const { issuer, jwksUri } = provider;
    const opaque = { issuer, clientId: 'host', clientSecret: 's3cret', introspectionUrl: `${issuer}/introspect` };
    host = await AuthHost.start(
      {
        clientCertificates: { trustedProxies: ['10.0.0.0/8', '::1'] },
        allowedOrigins: ['https://console.example.org'],
        schemes: {
          header: apiKeyScheme({ in: 'header', name: 'x-api-key', keys: KEYS }),
          query: apiKeyScheme({ in: 'query', name: 'apiKey', keys: KEYS }),
          cookie: apiKeyScheme({ in: 'cookie', name: 'session', keys: KEYS }),
          basic: httpBasicScheme({ users }),
          corporate: httpBearerScheme({ tokens: { jwt: { issuer, jwksUri } } }),
          opaque: httpBearerScheme({ tokens: { opaque } }),
          cert: mutualTlsScheme(),
        },
      },
      ['header', 'query', 'cookie', 'basic', 'corporate', 'opaque', 'cert']
        .map((id) => hostedAgent({ id, security: { requirements: [{ [id]: [] }], audience: AUDIENCE } }))
        .concat(hostedAgent({ id: 'open' }), hostedAgent({ id: 'demo', security: { anonymousOwner: 'shared' } })),
      { clock: new FakeClock() },
    );
  });

  afterEach(async () => {
    jest.useRealTimers();
    await host.stop();
    await provider.stop();
  });

  return { host: () => host, provider: () => provider, at: (mount, seed = {}) => host.call({ mount, ...seed }) };
}

/** Parameters of a URL. */
export function query(values: Record<string, string[]>): Pick<CallSeed, 'query'> {
  return { query: new Map(Object.entries(values)) };
}

/** `name:password`, or whatever stands in its place. */
export function basic(text: string): Partial<CallSeed> {
  return headers({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
}
