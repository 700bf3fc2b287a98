import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import {
  type AgentCard,
  GetTaskRequest,
  ListTasksRequest,
  SendMessageRequest,
  type StreamResponse,
  type Task,
  TaskState,
} from '@a2a-js/sdk';
import {
  type CallInterceptor,
  type Client,
  ClientFactory,
  JsonRpcTransportFactory,
  RestTransportFactory,
  type TransportFactory,
} from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import { A2AError } from '@a2a-js/sdk/errors';
import { DEMO_CLIENTS } from '../../apps/agent-host/src/demo/demo.clients.js';
import { demoSecurity } from '../../apps/agent-host/src/demo/demo.security.js';
import { type DemoIdentityProvider, startDemoIdentityProvider } from '../../apps/agent-host/src/demo/identity-provider.js';
import { type Host, startHost } from '../support/host.js';

const TRANSPORTS: readonly [name: string, make: () => TransportFactory][] = [
  ['JSONRPC', () => new JsonRpcTransportFactory()],
  ['HTTP+JSON', () => new RestTransportFactory()],
  ['GRPC', () => new GrpcTransportFactory()],
];
const AUDIENCE = 'https://agents.example.com/billing';
const [acme, globex] = DEMO_CLIENTS;

/** A real OAuth server, the billing agent behind it, and the open conformance agent beside it in one host. */
const folder = mkdtempSync(join(tmpdir(), 'a2a-clients-'));
let provider: DemoIdentityProvider;
let host: Host;

beforeAll(async () => {
  for (const level of ['info', 'warn'] as const) jest.spyOn(console, level).mockReturnValue();
  provider = await startDemoIdentityProvider(0, AUDIENCE);
  writeFileSync(join(folder, 'security.json'), JSON.stringify(demoSecurity(provider.issuer, AUDIENCE)));
  host = await startHost({ env: { A2A_CONFORMANCE_AGENT: '1', A2A_SECURITY_FILE: join(folder, 'security.json') } });
});
afterAll(async () => {
  await host?.stop();
  await provider?.stop();
  rmSync(folder, { recursive: true });
  jest.restoreAllMocks();
});

/** Asks where the card says for a token, and puts it where every transport carries it. */
function authorized(client = acme, scope = client?.scopes.join(' ') ?? ''): CallInterceptor {
  return {
    async before(args) {
      const token = await fetchToken(args.agentCard, client?.id ?? '', client?.secret ?? '', scope);
      const { serviceParameters } = args.options ?? {};
      args.options = { ...args.options, serviceParameters: { ...serviceParameters, Authorization: `Bearer ${token}` } };
    },
    async after() {},
  };
}

async function fetchToken(card: AgentCard, id: string, secret: string, scope: string): Promise<string> {
  const { scheme } = card.securitySchemes['company'] ?? {};
  const flow = scheme?.$case === 'oauth2SecurityScheme' ? scheme.value.flows?.flow : undefined;
  if (flow?.$case !== 'clientCredentials') throw new Error('The card offers no client credentials');
  const answer = await fetch(flow.value.tokenUrl, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: AUDIENCE, scope }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

describe.each(TRANSPORTS)('The official JavaScript client over %s', (name, make) => {
  const tenant = (customer: string) => (name === 'GRPC' ? `billing/${customer}` : customer);

  async function connect(agent: string, ...interceptors: CallInterceptor[]): Promise<Client> {
    const factory = new ClientFactory({ transports: [make()], preferredTransports: [name], clientConfig: { interceptors } });
    return factory.createFromUrl(host.httpUrl, `/agents/${agent}/.well-known/agent-card.json`);
  }
  const withToken = (...given: Parameters<typeof authorized>): Promise<Client> => connect('billing', authorized(...given));

  it('comes to a protected agent with an OAuth token, to send, read, list and stream', async () => {
    const client = await withToken();
    const task = (await client.sendMessage(say('What did we pay?', tenant('acme')))) as Task;
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(JSON.stringify(task.artifacts)).toContain('INV-8');
    expect((await client.getTask(GetTaskRequest.fromJSON({ id: task.id, tenant: tenant('acme') }))).id).toBe(task.id);
    const page = await client.listTasks(ListTasksRequest.fromJSON({ tenant: tenant('acme') }));
    expect(page.tasks.map(({ id }) => id)).toContain(task.id);
    const items: StreamResponse[] = [];
    for await (const item of client.sendMessageStream(say('refund INV-7', tenant('acme')))) items.push(item);
    expect(items.at(-1)?.payload).toMatchObject({ $case: 'statusUpdate', value: { status: { state: TaskState.TASK_STATE_COMPLETED } } });
  });

  it('sees the extended card by itself', async () => {
    const client = await withToken();
    expect((await client.getAgentCard()).skills.map(({ id }) => id)).toContain('large-refund');
  });

  it('is refused without a token, and with one that may not', async () => {
    const stranger = await connect('billing');
    await expect(stranger.sendMessage(say('x', tenant('acme')))).rejects.toThrow(/UNAUTHENTICATED|Authentication required|401/);
    const weak = await withToken(acme, 'a2a.read');
    await expect(weak.sendMessage(say('x', tenant('acme')))).rejects.toThrow(/PERMISSION_DENIED|a2a\.send|403/);
  });

  it('finds nothing of another tenant', async () => {
    const client = await withToken();
    const { id } = (await client.sendMessage(say('What did we pay?', tenant('acme')))) as Task;
    const other = await withToken(globex);
    for (const where of ['globex', 'acme']) {
      const error: unknown = await other.getTask(GetTaskRequest.fromJSON({ id, tenant: tenant(where) })).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(A2AError);
      expect((error as A2AError).reason).toBe('TASK_NOT_FOUND');
    }
  });

  it('uses the open conformance agent of the same host without a token, over several connections [A26]', async () => {
    const contextId = randomUUID();
    const [one, other] = [await connect('conformance'), await connect('conformance')];
    const { id } = (await one.sendMessage(say('/task', name === 'GRPC' ? 'conformance' : '', { contextId }))) as Task;
    const page = await other.listTasks(ListTasksRequest.fromJSON({ contextId, tenant: name === 'GRPC' ? 'conformance' : '' }));
    expect(page.tasks.map((task) => task.id)).toEqual([id]);
  });
});

/** A Python that has the official client: `A2A_PYTHON`, or the one that `npm run interop:python` makes. */
const PYTHON = process.env.A2A_PYTHON ?? join(tmpdir(), 'a2a-nest-python', 'bin', 'python');
const leftOut = it.skip;
if (spawnSync(PYTHON, ['-c', 'import a2a.client']).status === 0) describePython();
else leftOut('The official Python client is not installed: run `npm run interop:python`', () => {});

function describePython(): void {
  describe('The official Python client', () => {
    it.each(TRANSPORTS.map(([name]) => name))('comes to a protected agent with an OAuth token over %s', async (name) => {
      const card = (await (await fetch(`${host.httpUrl}/agents/billing/.well-known/agent-card.json`)).json()) as CompanyCard;
      const { tokenUrl } = card.securitySchemes.company.oauth2SecurityScheme.flows.clientCredentials;
      const driver = join(process.cwd(), 'test/security/call_protected.py');
      const secrets = [tokenUrl, AUDIENCE, acme?.id ?? '', acme?.secret ?? ''];
      const { stdout } = await promisify(execFile)(PYTHON, [driver, host.httpUrl, name, ...secrets], { timeout: 250_000 });
      expect(JSON.parse(stdout)).toEqual({ refused: true, state: 'TASK_STATE_COMPLETED', invoices: ['INV-7', 'INV-8'] });
    });
  });
}

interface CompanyCard {
  readonly securitySchemes: {
    readonly company: { readonly oauth2SecurityScheme: { readonly flows: { readonly clientCredentials: { readonly tokenUrl: string } } } };
  };
}

function say(text: string, tenant: string, extras: object = {}): SendMessageRequest {
  return SendMessageRequest.fromJSON({ message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...extras }, tenant });
}
