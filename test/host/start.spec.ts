import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JsonObject } from '@bufbuild/protobuf';
import { RestClient } from '../support/clients/rest.js';
import { freePorts } from '../support/free-ports.js';
import { type Host, HostEnded, type HostOptions, startHost } from '../support/host.js';

const REPORT = `2026-03-01T10:00:00Z payments ERROR connection to db-1 refused
2026-03-01T10:00:01Z payments ERROR connection to db-1 refused
2026-03-01T10:00:02Z checkout WARN retrying payment 4711`;

interface Card {
  readonly name: string;
  readonly supportedInterfaces: readonly { url: string; protocolBinding: string; protocolVersion: string }[];
  readonly skills: readonly JsonObject[];
}

async function fetchCard(host: Host, path = '/.well-known/agent-card.json'): Promise<Card> {
  const response = await fetch(`${host.httpUrl}${path}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Card;
}

/** What an operator reads on standard error when a host does not start. */
async function failureOf(options: HostOptions): Promise<{ code: number | null; lines: readonly string[] }> {
  const failure: unknown = await startHost(options).then(
    (host) => host.stop().then(() => 'The host started'),
    (error: unknown) => error,
  );
  if (!(failure instanceof HostEnded)) throw new Error(`Expected the start to fail: ${String(failure)}`);
  return { code: failure.exit.code, lines: failure.logs.filter((line) => !line.startsWith('{')) };
}

describe.each(['express', 'fastify'])('the built host on %s', (adapter) => {
  let host: Host;

  beforeAll(async () => {
    host = await startHost({ env: { HTTP_ADAPTER: adapter } });
  });

  afterAll(() => host.stop());

  it('serves the incident analyst at the root, reachable where its card says [CARD-02]', async () => {
    const card = await fetchCard(host);
    expect(card.skills.length).toBeGreaterThanOrEqual(2);
    expect(card.supportedInterfaces.map(({ protocolBinding }) => protocolBinding).toSorted()).toEqual(['GRPC', 'HTTP+JSON', 'JSONRPC']);
    for (const { url, protocolBinding } of card.supportedInterfaces) {
      expect(protocolBinding === 'GRPC' ? url : new URL(url).origin).toBe(protocolBinding === 'GRPC' ? host.grpcUrl : host.httpUrl);
    }
  });

  it('answers a failure report with an analysis that cites its lines', async () => {
    const url = (await fetchCard(host)).supportedInterfaces.find(({ protocolBinding }) => protocolBinding === 'HTTP+JSON')?.url ?? '';
    const { task } = await new RestClient(url).send({
      message: { messageId: 'first-report', role: 'ROLE_USER', parts: [{ text: REPORT }] },
    });
    expect(task?.status.state).toBe('TASK_STATE_COMPLETED');
    const text = JSON.stringify(task?.artifacts);
    expect(text).toContain('db-1');
    expect(text).toMatch(/\b(L|lines? )\d/i);
  });

  it.each(['incident-analyst', 'expense-approval', 'echo'])('serves the card of %s under its own path [CARD-09]', async (agent) => {
    const card = await fetchCard(host, `/agents/${agent}/.well-known/agent-card.json`);
    expect(card.supportedInterfaces.length).toBe(3);
  });

  it('has no conformance agent', async () => {
    const response = await fetch(`${host.httpUrl}/agents/conformance/.well-known/agent-card.json`);
    expect(response.status).toBe(404);
  });
});

describe('the conformance agent', () => {
  it('is the default where it is on', async () => {
    const host = await startHost({ env: { A2A_CONFORMANCE_AGENT: '1' } });
    expect((await fetchCard(host)).name).toBe('Conformance Agent');
    await host.stop();
  });
});

describe('a host that cannot start', () => {
  let folder: string;
  let squatter: Server | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-host-'));
  });

  afterEach(() => {
    squatter?.close();
    rmSync(folder, { recursive: true });
  });

  it('names every wrong setting and exits with 1', async () => {
    const { code, lines } = await failureOf({ env: { PORT: 'x', HTTP_ADAPTER: 'koa', DATABASE_URL: 'mysql://u:canary@h/d' } });
    expect(code).toBe(1);
    expect(lines).toEqual([
      'The host cannot start: 3 settings are wrong.',
      expect.stringContaining('PORT is "x"'),
      expect.stringContaining('DATABASE_URL is not usable'),
      expect.stringContaining('HTTP_ADAPTER is "koa"'),
      'All settings: docs/configuration.md',
    ]);
    expect(lines.join()).not.toContain('canary');
  });

  it.each(['PORT', 'GRPC_PORT'])('says that %s is in use', async (setting) => {
    const [port = 0] = await freePorts(1);
    squatter = createServer().listen(port, '127.0.0.1');
    await once(squatter, 'listening');
    const { code, lines } = await failureOf({ env: { [setting]: String(port) } });
    expect(code).toBe(1);
    expect(lines).toEqual([
      `The host cannot start: port ${port} is in use. Stop the process that has it, or set ${setting} to a free one.`,
    ]);
  });

  it('names an agent that is not here', async () => {
    const { code, lines } = await failureOf({ env: { A2A_DEFAULT_AGENT: 'nobody' } });
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/^The host cannot start: .*nobody/)]);
  });

  it('says that PostgreSQL cannot be reached, without the password', async () => {
    const [port] = await freePorts(1);
    const { code, lines } = await failureOf({ env: { DATABASE_URL: `postgres://app:canary@127.0.0.1:${port}/a2a` } });
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^The host cannot start: .*127\\.0\\.0\\.1:${port}`))]);
    expect(lines.join()).not.toContain('canary');
  });

  it('refuses to be the second process on one SQLite file, and leaves the first one alone', async () => {
    const env = { DATABASE_URL: `sqlite:${folder}/a2a.sqlite` };
    const first = await startHost({ env });
    const { code, lines } = await failureOf({ env });
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/^The host cannot start: .*a2a\.sqlite/)]);
    expect((await fetch(`${first.httpUrl}/health/ready`)).status).toBe(200);
    await first.stop();
    const third = await startHost({ env });
    expect(await third.stop()).toEqual({ code: 0, signal: null });
  });
});
