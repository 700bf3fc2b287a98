import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashApiKey, hashPassword } from '@a2a/auth';
import { type A2aClient } from '../support/clients/a2a-client.js';
import { freePorts } from '../support/free-ports.js';
import { type Host, startHost } from '../support/host.js';
import { Issuer, type TokenClaims } from '../support/issuer.js';
import { type CardJson, clientOf, type Wire } from '../conformance/conformance-host.js';

/** The security file as JSON. */
export type SecurityJson = Record<string, unknown> & { readonly agents: Record<string, unknown> };
/** What a suite wants to be different in it. */
export type Change = (file: SecurityJson, issuer: string) => SecurityJson;

export type Headers = Readonly<Record<string, string>>;
type Env = Readonly<Record<string, string>>;

/** Keys as callers hold them; the host has their digests. */
export const API_KEYS = { robot: 'a2ak_robot-of-acme', other: 'a2ak_other-robot' } as const;
export const PASSWORD = 'correct horse battery staple';

/** Agents of the host and whom their tokens name. */
export const AUDIENCE = { conformance: 'urn:agent:conformance', billing: 'urn:agent:billing', expenses: 'urn:agent:expenses' } as const;
/** What every operation of `billing` asks for together. */
export const ALL_OPERATIONS = 'a2a.send a2a.read a2a.cancel a2a.push a2a.card';

/**
 * The built host as a team would run it: every agent asks for something else, one is open.
 *
 * | agent | asks for |
 * | --- | --- |
 * | conformance | OAuth token or API key |
 * | billing | OAuth token or opaque token; operations and skills have scopes |
 * | expense-approval | password, key in a parameter or cookie, certificate, or a token of issuers that are down |
 * | incident-analyst, echo | nothing |
 */
export class ProtectedHost {
  readonly #clients = new Map<string, A2aClient>();

  private constructor(
    readonly issuer: Issuer,
    readonly process: Host,
    private readonly folder: string,
  ) {}

  static async start(env: Env = {}, change: Change = (file) => file): Promise<ProtectedHost> {
    const issuer = await Issuer.start();
    try {
      return await ProtectedHost.#startWith(issuer, env, change);
    } catch (error) {
      await issuer.stop();
      throw error;
    }
  }

  static async #startWith(issuer: Issuer, env: Env, change: Change): Promise<ProtectedHost> {
    const folder = mkdtempSync(join(tmpdir(), 'a2a-security-'));
    const file = join(folder, 'security.json');
    writeFileSync(file, JSON.stringify(change(await securityOf(issuer), issuer.url)));
    const settings = { A2A_CONFORMANCE_AGENT: '1', A2A_SECURITY_FILE: file, INTROSPECTION_SECRET: 's3cret', ...env };
    return new ProtectedHost(issuer, await startHost({ env: settings }), folder);
  }

  get httpUrl(): string {
    return this.process.httpUrl;
  }

  /** A client from the card of an agent; the host closes it. */
  async client(agentId: string, wire: Wire): Promise<A2aClient> {
    const name = `${agentId} ${wire}`;
    const known = this.#clients.get(name);
    if (known) return known;
    const client = clientOf(await this.card(agentId), wire);
    this.#clients.set(name, client);
    return client;
  }

  async card(agentId: string): Promise<CardJson> {
    return (await (await fetch(`${this.httpUrl}/agents/${agentId}/.well-known/agent-card.json`)).json()) as CardJson;
  }

  /** Headers of a caller with a token for the conformance agent, unless the claims say otherwise. */
  async bearer(claims: TokenClaims = {}, header: Readonly<Record<string, unknown>> = {}): Promise<Headers> {
    return { authorization: `Bearer ${await this.issuer.token({ aud: AUDIENCE.conformance, ...claims }, header)}` };
  }

  async stop(): Promise<void> {
    for (const client of this.#clients.values()) client.close();
    await this.process.stop();
    await this.issuer.stop();
    rmSync(this.folder, { recursive: true });
  }
}

/** Starts one protected host for a describe block. */
export function useProtectedHost(env: Env | (() => Env) = {}, change: Change = (file) => file): () => ProtectedHost {
  let host: ProtectedHost | undefined;
  beforeAll(async () => {
    host = await ProtectedHost.start(typeof env === 'function' ? env() : env, change);
  });
  afterAll(async () => {
    await host?.stop();
  });
  return () => {
    if (!host) throw new Error('The host has not started');
    return host;
  };
}

async function securityOf({ url, jwksUri }: Issuer): Promise<SecurityJson> {
  const key = { sha256: hashApiKey(API_KEYS.robot), subject: 'robot', tenants: ['acme'] };
  const [gone] = await freePorts(1);
  return {
    schemes: {
      corporate: {
        kind: 'oauth2',
        description: 'Tokens of the company',
        flow: { clientCredentials: { tokenUrl: `${url}/token`, scopes: { 'billing.refund': 'Pay back' } } },
        tokens: { jwt: { issuer: url, jwksUri, tenants: 'tenants' } },
      },
      key: {
        kind: 'apiKey',
        in: 'header',
        name: 'X-API-Key',
        keys: [key, { sha256: hashApiKey(API_KEYS.other), subject: 'other-robot' }],
      },
      opaque: {
        kind: 'bearer',
        tokens: {
          opaque: { issuer: url, introspectionUrl: `${url}/introspect`, clientId: 'host', clientSecret: { env: 'INTROSPECTION_SECRET' } },
        },
      },
      password: { kind: 'basic', users: [{ username: 'ada', passwordHash: await hashPassword(PASSWORD) }] },
      parameter: { kind: 'apiKey', in: 'query', name: 'api_key', keys: [key] },
      cookie: { kind: 'apiKey', in: 'cookie', name: 'session', keys: [key] },
      certificate: { kind: 'mutualTls' },
      opaqueDown: {
        kind: 'bearer',
        tokens: {
          opaque: {
            issuer: url,
            introspectionUrl: `http://127.0.0.1:${gone}/introspect`,
            clientId: 'host',
            clientSecret: { env: 'INTROSPECTION_SECRET' },
          },
        },
      },
      down: { kind: 'bearer', tokens: { jwt: { issuer: `http://127.0.0.1:${gone}`, jwksUri: `http://127.0.0.1:${gone}/jwks` } } },
    },
    anonymousOwner: 'own',
    agents: {
      conformance: { requirements: [{ corporate: [] }, { key: [] }], audience: AUDIENCE.conformance },
      billing: { requirements: [{ corporate: [] }, { opaque: [] }], audience: AUDIENCE.billing, operationScopes: SCOPES },
      'expense-approval': {
        requirements: [{ password: [] }, { parameter: [] }, { cookie: [] }, { certificate: [] }, { down: [] }, { opaqueDown: [] }],
        audience: AUDIENCE.expenses,
      },
    },
  };
}

const SCOPES = {
  SendMessage: ['a2a.send'],
  SendStreamingMessage: ['a2a.send'],
  GetTask: ['a2a.read'],
  ListTasks: ['a2a.read'],
  SubscribeToTask: ['a2a.read'],
  CancelTask: ['a2a.cancel'],
  CreateTaskPushNotificationConfig: ['a2a.push'],
  GetTaskPushNotificationConfig: ['a2a.push'],
  ListTaskPushNotificationConfigs: ['a2a.push'],
  DeleteTaskPushNotificationConfig: ['a2a.push'],
  GetExtendedAgentCard: ['a2a.card'],
};
