import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describeStore } from '../support/selected-stores.js';
import { API_KEYS, ProtectedHost } from '../security/protected-host.js';
import { type A2aClient, type CallOptions } from '../support/clients/a2a-client.js';
import { BUILT_MAIN } from '../support/host.js';
import { startPostgres, type TestPostgres } from '../support/postgres.js';

const COMMAND = join(dirname(BUILT_MAIN), 'delete-data.js');
const ROBOT: CallOptions = { headers: { 'x-api-key': API_KEYS.robot } };
const OTHER: CallOptions = { headers: { 'x-api-key': API_KEYS.other } };
/** As an operator knows the owner of the first key. */
const WHO = ['--issuer', 'key', '--subject', 'robot', '--realm', 'api-key'];

/** What `npm run data:delete` runs. */
async function deleteData(url: string, ...args: string[]): Promise<{ code: number | null; record: string; said: string }> {
  const child = spawn(process.execPath, [COMMAND, ...args], { env: { PATH: process.env.PATH, DATABASE_URL: url } });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [code, record, said] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, record, said };
}

let messages = 0;
const message = (...texts: string[]) => ({
  message: { messageId: `m${++messages}`, role: 'ROLE_USER', parts: texts.map((part) => ({ text: part })) },
});
const taskOf = async (client: A2aClient, options: CallOptions, ...texts: string[]): Promise<string> =>
  (await client.send({ ...message(...texts), configuration: { returnImmediately: true } }, options)).task?.id ?? '';
const countOf = async (client: A2aClient, options: CallOptions): Promise<number> => (await client.listTasks({}, options)).totalSize;

describe('data:delete', () => {
  it('tells all its arguments when it gets none, and touches nothing', async () => {
    const { code, said } = await deleteData('sqlite:/nowhere/at/all.sqlite');
    expect(code).toBe(1);
    expect(said).toMatch(/^The data cannot be deleted: --owner, or --issuer and --subject\.\n[\s\S]*--context ID/);
  });

  it('has nothing to delete from memory', async () => {
    expect(await deleteData('memory:', '--owner', 'u')).toMatchObject({ code: 1, said: expect.stringContaining('ends with it') as string });
  });

  describeStore('sqlite', 'on SQLite', () => {
    const folder = mkdtempSync(join(tmpdir(), 'a2a-delete-'));
    const file = join(folder, 'a2a.sqlite');
    const url = `sqlite:${file}`;
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it('refuses while a host has the file, then deletes an owner to the last byte and nobody else [SECC-60]', async () => {
      const host = await ProtectedHost.start({ DATABASE_URL: url });
      const client = await host.client('conformance', 'HTTP+JSON');
      for (let n = 0; n < 3; n++) await taskOf(client, ROBOT, '/task', `secret-of-robot ${n}`);
      await client.send(message('/count key=secret-of-robot'), ROBOT);
      await client.send(message('/echo secret-of-robot'), ROBOT);
      await taskOf(client, OTHER, '/task', 'secret-of-other');
      const refused = await deleteData(url, ...WHO);
      expect(refused.code).toBe(1);
      expect(refused.said).toMatch(/cannot be deleted: .*a2a\.sqlite is in use by another process.*stop the other one/);
      expect(await countOf(client, ROBOT)).toBe(4);
      await host.stop();
      expect(readFileSync(file, 'latin1')).toContain('secret-of-robot');

      const { code, record, said } = await deleteData(url, ...WHO, '--by', 'ticket 4711');
      expect({ code, said }).toEqual({ code: 0, said: expect.stringMatching(/^Deleted: 4 tasks, .*values/) });
      expect(JSON.parse(record)).toMatchObject({ audit: true, event: 'data.delete', operator: 'ticket 4711', agentId: 'conformance' });
      expect(record).not.toContain('robot');
      const left = readFileSync(file, 'latin1');
      expect(left).not.toContain('secret-of-robot');
      expect(left).toContain('secret-of-other');
      expect(existsSync(`${file}-wal`)).toBe(false);
      expect((await deleteData(url, ...WHO)).said).toBe('Deleted: 0 tasks, 0 receipts, 0 values.\n');

      const again = await ProtectedHost.start({ DATABASE_URL: url });
      const later = await again.client('conformance', 'HTTP+JSON');
      expect([await countOf(later, ROBOT), await countOf(later, OTHER)]).toEqual([0, 1]);
      await again.stop();
    });
  });

  describeStore('postgres', 'on PostgreSQL, while a host runs', () => {
    let postgres: TestPostgres;
    let url: string;
    let host: ProtectedHost;
    let client: A2aClient;
    beforeAll(async () => {
      postgres = await startPostgres();
      url = await postgres.createDatabase();
      host = await ProtectedHost.start({ DATABASE_URL: url, A2A_SECRET: 'x'.repeat(32) });
      client = await host.client('conformance', 'HTTP+JSON');
    });
    afterAll(async () => {
      await host.stop();
      await postgres.stop();
    });

    it('cancels and deletes one task, and lets go of who reads it [SECC-60]', async () => {
      const kept = await taskOf(client, ROBOT, '/task');
      const id = await taskOf(client, ROBOT, '/sleep ms=60000');
      const reading = (await client.subscribe({ id }, ROBOT)).rest();
      const { code, said } = await deleteData(url, ...WHO, '--agent', 'conformance', '--task', id);
      expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('1 tasks') });
      expect((await reading).length).toBeGreaterThan(0);
      await expect(client.getTask({ id }, ROBOT)).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
      expect((await client.getTask({ id: kept }, ROBOT)).id).toBe(kept);
    });

    it('deletes one context, and leaves the rest of the owner [SECC-60]', async () => {
      const { message: first } = message('/count key=a where=context');
      await client.send({ message: { ...first, contextId: 'c1' } }, ROBOT);
      const before = await countOf(client, ROBOT);
      const { said } = await deleteData(url, ...WHO, '--agent', 'conformance', '--context', 'c1');
      expect(said).toMatch(/^Deleted: 1 tasks, /);
      expect(await countOf(client, ROBOT)).toBe(before - 1);
    });

    it('deletes everything of an owner, and nothing of another [SECC-60]', async () => {
      for (let n = 0; n < 3; n++) await taskOf(client, ROBOT, '/task');
      await taskOf(client, OTHER, '/task');
      expect((await deleteData(url, ...WHO)).code).toBe(0);
      expect([await countOf(client, ROBOT), await countOf(client, OTHER)]).toEqual([0, 1]);
    });
  });
});
