import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type JsonObject } from '@bufbuild/protobuf';
import { describeStore } from '../support/selected-stores.js';
import { RestClient } from '../support/clients/rest.js';
import { freePorts } from '../support/free-ports.js';
import { BUILT_MAIN, type Host, HostEnded, type HostOptions, startHost } from '../support/host.js';

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
  let squatter: Server | undefined;

  afterEach(() => {
    squatter?.close();
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
    squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
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

  it('insists on a secret where replicas must share it [E29]', async () => {
    const { code, lines } = await failureOf({ env: { DATABASE_URL: 'postgres://app:canary@127.0.0.1:1/a2a' } });
    expect(code).toBe(1);
    expect(lines.join('\n')).toMatch(/A2A_SECRET is not set/);
    expect(lines.join('\n')).not.toContain('canary');
  });

  it('says that PostgreSQL cannot be reached, without the password', async () => {
    const [port] = await freePorts(1);
    const env = { DATABASE_URL: `postgres://app:canary@127.0.0.1:${port}/a2a`, A2A_SECRET: 'a secret that replicas would share' };
    const { code, lines } = await failureOf({ env });
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^The host cannot start: .*127\\.0\\.0\\.1:${port}`))]);
    expect(lines.join()).not.toContain('canary');
  });
});

describeStore('sqlite', 'a host on a SQLite file', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-host-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

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

  it('keeps its tasks and its key for page tokens over a restart', async () => {
    const env = { DATABASE_URL: `sqlite:${folder}/data/a2a.sqlite`, A2A_DEFAULT_AGENT: 'expense-approval' };
    const first = await startHost({ env });
    for (const messageId of ['a', 'b']) {
      await new RestClient(first.httpUrl).send({ message: { messageId, role: 'ROLE_USER', parts: [{ text: 'lunch' }] } });
    }
    const page = await new RestClient(first.httpUrl).listTasks({ pageSize: 1 });
    await first.kill('SIGKILL');

    const second = await startHost({ env });
    const rest = await new RestClient(second.httpUrl).listTasks({ pageSize: 1, pageToken: page.nextPageToken });
    expect([page.totalSize, rest.tasks.length]).toEqual([2, 1]);
    expect(rest.tasks[0]?.id).not.toBe(page.tasks[0]?.id);
    await second.stop();
  });

  it('can have its tables made beforehand', () => {
    const migrate = (url: string) =>
      spawnSync(process.execPath, [join(dirname(BUILT_MAIN), 'migrate.js')], { env: { DATABASE_URL: url }, encoding: 'utf8' });
    expect(migrate(`sqlite:${folder}/new.sqlite`)).toMatchObject({ status: 0, stdout: 'The tables are up to date.\n' });
    expect(existsSync(join(folder, 'new.sqlite'))).toBe(true);
    expect(migrate('memory:')).toMatchObject({ status: 1, stderr: expect.stringContaining('memory has no tables') });
  });
});
