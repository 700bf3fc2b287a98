import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeStore } from '../support/selected-stores.js';
import { exchange } from '../support/clients/http.js';
import { GrpcClient } from '../support/clients/grpc.js';
import { API_KEYS, PASSWORD, ProtectedHost } from '../security/protected-host.js';
import { PLACES, type Reach } from './canaries.js';

interface Canary {
  readonly secret: string;
  readonly answer: string;
}

/** All forms in which a secret may turn up again. */
function formsOf(secret: string): string[] {
  return [secret, Buffer.from(secret).toString('base64').replace(/=+$/, ''), encodeURIComponent(secret), secret.toUpperCase()];
}

function holds(text: string, secret: string): boolean {
  return formsOf(secret).some((form) => text.includes(form));
}

describeStore('sqlite', 'secrets that a client puts everywhere it can [E17, SECC-51]', () => {
  describe.each(['express', 'fastify'])('on %s', (adapter) => {
    const folder = mkdtempSync(join(tmpdir(), 'a2a-canaries-'));
    const file = join(folder, 'a2a.sqlite');
    const canaries = new Map<string, Canary>();
    let host: ProtectedHost;
    let token: string;
    let log: string;
    let database: string;
    let strangers: string;

    beforeAll(async () => {
      host = await ProtectedHost.start({ HTTP_ADAPTER: adapter, DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: 'trace' });
      const url = `${host.httpUrl}/agents/conformance`;
      const grpc = new GrpcClient(host.process.grpcUrl, 'conformance');
      const { authorization = '' } = await host.bearer({ sub: 'alice' });
      token = authorization.split(' ')[1] ?? '';
      const reach: Reach = { url, rpcUrl: `${url}/rpc`, grpc, headers: { authorization } };
      for (const { name, put } of PLACES) {
        const secret = `canary${randomBytes(12).toString('hex')}`;
        canaries.set(name, { secret, answer: await put(secret, reach) });
      }
      await exchange({ method: 'GET', url: `${url}/tasks`, headers: { 'a2a-version': '1.0', 'x-api-key': API_KEYS.robot } });
      await exchange({ method: 'GET', url: `${host.httpUrl}/agents/expense-approval/tasks`, headers: basic('ada', PASSWORD) });
      strangers = await readAsStranger(reach);
      grpc.close();
      await host.stop();
      log = host.process.logs.join('\n');
      database = [file, `${file}-wal`].map((part) => (existsSync(part) ? readFileSync(part, 'latin1') : '')).join('');
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    /** Everything that another caller of the same agent, and somebody without credentials, can read. */
    async function readAsStranger({ url, grpc, rpcUrl }: Reach): Promise<string> {
      const bob = { 'a2a-version': '1.0', 'content-type': 'application/json', ...(await host.bearer({ sub: 'bob' })) };
      const own = await exchange({ method: 'GET', url: `${url}/tasks`, headers: { ...bob, ...(await host.bearer({ sub: 'alice' })) } });
      const { tasks } = JSON.parse(own.text) as { tasks: { id: string; contextId: string }[] };
      expect(tasks.length).toBeGreaterThan(8);
      const paths = [
        '/tasks',
        '/extendedAgentCard',
        '/.well-known/agent-card.json',
        ...tasks.flatMap(({ id, contextId }) => [`/tasks/${id}`, `/tasks?contextId=${contextId}`, `/tasks/${id}/pushNotificationConfigs`]),
      ];
      const answers = await Promise.all(paths.map((path) => exchange({ method: 'GET', url: `${url}${path}`, headers: bob })));
      const open = await Promise.all(
        ['/', '/agents', '/health/ready'].map((path) => exchange({ method: 'GET', url: `${host.httpUrl}${path}` })),
      );
      const listed = await grpc.call('ListTasks', {}, { headers: bob });
      const call = { jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id: tasks[0]?.id } };
      const subscribed = await exchange({ method: 'POST', url: rpcUrl, headers: bob, body: JSON.stringify(call) });
      return JSON.stringify([answers, open, listed, subscribed]);
    }

    const foundIn = (sink: string, places = PLACES): string[] =>
      places.filter(({ name }) => holds(sink, canaries.get(name)?.secret ?? '')).map(({ name }) => name);

    it('are thirty and more, and those that belong to a task are in it', () => {
      expect(PLACES.length).toBeGreaterThanOrEqual(30);
      expect(new Set(PLACES.map(({ name }) => name)).size).toBe(PLACES.length);
      const kept = PLACES.filter(({ echo }) => echo === 'task');
      expect(foundIn(database, kept)).toEqual(kept.map(({ name }) => name));
    });

    it('are not in the log, at its most talkative, which has a line for every call', () => {
      expect(log.split('\n').filter((line) => line.includes('"msg":"Call"')).length).toBeGreaterThan(20);
      expect(foundIn(log)).toEqual([]);
    });

    it('are not in the database, but for what is part of a task', () => {
      expect(
        foundIn(
          database,
          PLACES.filter(({ echo }) => echo !== 'task'),
        ),
      ).toEqual([]);
    });

    it('are in no answer to another caller', () => {
      expect(foundIn(strangers)).toEqual([]);
    });

    it('are in the answer to their own sender only as part of a task, or where the protocol repeats an id', () => {
      const repeated = PLACES.filter(
        ({ name, echo }) => echo === 'nowhere' && holds(canaries.get(name)?.answer ?? '', canaries.get(name)?.secret ?? ''),
      );
      expect(repeated.map(({ name }) => name)).toEqual([]);
    });

    it('of callers who were let in are nowhere either: tokens, keys, passwords, and the names of people', () => {
      const signature = token.split('.')[2] ?? '';
      for (const secret of [token, signature, API_KEYS.robot, PASSWORD, 's3cret', 'alice', 'bob']) {
        expect(secret.length).toBeGreaterThan(2);
        expect([secret, holds(log, secret), holds(database, secret)]).toEqual([secret, false, false]);
      }
    });

    it('leave a trail all the same: who was refused, from where and why [SECC-50]', () => {
      const records = log
        .split('\n')
        .flatMap((line) => (line.includes('"audit":true') ? [JSON.parse(line) as Record<string, unknown>] : []));
      const events = new Set(records.map(({ event, outcome }) => `${String(event)} ${String(outcome)}`));
      expect([...events]).toEqual(expect.arrayContaining(['authentication refused', 'task.lookup refused', 'task.create ok']));
      for (const record of records)
        expect(record).toMatchObject({ at: expect.any(String), binding: expect.any(String), remoteAddress: expect.any(String) });
    });
  });
});

function basic(user: string, password: string): Record<string, string> {
  return { 'a2a-version': '1.0', authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
