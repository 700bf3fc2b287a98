import { randomUUID } from 'node:crypto';
import { type JsonObject } from '@bufbuild/protobuf';
import { type TaskJson } from '../support/clients/wire-json.js';
import { type ConformanceHost, WIRES } from './conformance-host.js';
import { clockTick, errorOf, pathOn, reasonOf, runTask, startTask, textsOf } from './requests.js';

/** GetTask: A2A §3.1.3. */
export function getTaskSuite(host: () => ConformanceHost): void {
  describe.each(WIRES)('GetTask over %s', (wire) => {
    const client = () => host().client(wire);

    it('returns the task as the send did, artifacts included [GET-01]', async () => {
      const sent = await runTask(client(), '/task');
      expect(await client().getTask({ id: sent.id })).toEqual(sent);
    });

    it('returns the same twice: reading changes nothing [GET-04]', async () => {
      const { id } = await runTask(client(), '/ask');
      expect(await client().getTask({ id })).toEqual(await client().getTask({ id }));
    });

    it('limits history as a send does [HIST-01] [HIST-02]', async () => {
      const { id } = await runTask(client(), '/ask');
      await runTask(client(), 'an answer', { taskId: id });
      expect(await client().getTask({ id, historyLength: 0 })).not.toHaveProperty('history');
      expect((await client().getTask({ id, historyLength: 2 })).history).toHaveLength(2);
      expect((await client().getTask({ id, historyLength: 1 })).history?.map(textsOf)).toEqual([['an answer']]);
      expect((await client().getTask({ id })).history).toHaveLength(3);
    });

    it('does not know tasks that do not exist [GET-02]', async () => {
      const error = await errorOf(client().getTask({ id: randomUUID() }));
      expect(error.reason).toBe('TASK_NOT_FOUND');
    });

    it('refuses a negative historyLength, naming it [HIST-03] [LIST-08]', async () => {
      const { id } = await runTask(client(), '/task');
      expect((await errorOf(client().getTask({ id, historyLength: -1 }))).fields).toEqual([pathOn(wire, 'historyLength')]);
    });

    it.each(["' OR 1=1 --", '%2e%2e', '%00', '../etc/passwd', 'a/b', 'a:b:cancel', '漢字', '__proto__', 'x'.repeat(200)])(
      'does not know %j either [GET-02]',
      async (id) => {
        expect(await reasonOf(client().getTask({ id }))).toBe('TASK_NOT_FOUND');
      },
    );
  });
}

/** ListTasks: A2A §3.1.4. */
export function listTasksSuite(host: () => ConformanceHost): void {
  describe.each(WIRES)('ListTasks over %s', (wire) => {
    const client = () => host().client(wire);
    const list = (request: JsonObject) => client().listTasks({ contextId, ...request });
    let contextId: string;
    let tasks: TaskJson[];

    beforeAll(async () => {
      contextId = randomUUID();
      tasks = [];
      for (const text of ['/task', '/ask', '/task', '/throw', '/task']) {
        tasks.unshift(await runTask(client(), text, { contextId }));
        await clockTick();
      }
    });

    const ids = (page: { tasks: TaskJson[] }): string[] => page.tasks.map(({ id }) => id);

    it('returns the newest first, with all of its members [LIST-04] [LIST-05] [SER-15]', async () => {
      const page = await list({});
      expect(ids(page)).toEqual(tasks.map(({ id }) => id));
      expect({ ...page, tasks: [] }).toEqual({ tasks: [], nextPageToken: '', pageSize: expect.any(Number), totalSize: 5 });
      expect(page.pageSize).toBeGreaterThan(0);
      expect(page.pageSize).toBeLessThanOrEqual(50);
    });

    it('filters by context, state and time together [LIST-01]', async () => {
      expect(ids(await list({ status: 'TASK_STATE_INPUT_REQUIRED' }))).toEqual([tasks[3]?.id]);
      expect(ids(await list({ status: 'TASK_STATE_FAILED' }))).toEqual([tasks[1]?.id]);
      expect(ids(await list({ status: 'TASK_STATE_WORKING' }))).toEqual([]);
      const statusTimestampAfter = tasks[2]?.status.timestamp ?? '';
      expect(ids(await list({ statusTimestampAfter, status: 'TASK_STATE_COMPLETED' }))).toEqual([tasks[0]?.id, tasks[2]?.id]);
    });

    it('reads statusTimestampAfter as inclusive, to the millisecond [LIST-01]', async () => {
      const newest = tasks[0]?.status.timestamp ?? '';
      expect(ids(await list({ statusTimestampAfter: newest }))).toContain(tasks[0]?.id);
      const later = new Date(Date.parse(newest) + 1).toISOString();
      expect(ids(await list({ statusTimestampAfter: later }))).toEqual([]);
    });

    it('pages through everything once, in one order [LIST-02] [LIST-03] [LIST-04]', async () => {
      const seen: string[] = [];
      let pageToken = '';
      do {
        const page = await list({ pageSize: 2, ...(pageToken && { pageToken }) });
        expect(page).toMatchObject({ pageSize: 2, totalSize: 5 });
        seen.push(...ids(page));
        pageToken = page.nextPageToken;
      } while (pageToken !== '');
      expect(seen).toEqual(tasks.map(({ id }) => id));
    });

    it('ends with an empty token when the last page is full [LIST-05]', async () => {
      expect((await list({ pageSize: 5 })).nextPageToken).toBe('');
      expect((await list({ pageSize: 4 })).nextPageToken).not.toBe('');
    });

    it('leaves out artifacts unless they are asked for [LIST-06]', async () => {
      for (const request of [{}, { includeArtifacts: false }] as JsonObject[]) {
        for (const task of (await list(request)).tasks) expect(task).not.toHaveProperty('artifacts');
      }
      const { tasks: full } = await list({ includeArtifacts: true });
      expect(full[0]?.artifacts?.map(textsOf)).toEqual([['ok']]);
    });

    it('limits the history of each task [HIST-01]', async () => {
      for (const task of (await list({ historyLength: 0 })).tasks) expect(task).not.toHaveProperty('history');
      for (const task of (await list({ historyLength: 1 })).tasks) expect(task.history).toHaveLength(1);
    });

    it('answers an unknown context with an empty page [LIST-09]', async () => {
      const page = await client().listTasks({ contextId: randomUUID() });
      expect(page).toEqual({ tasks: [], nextPageToken: '', pageSize: expect.any(Number), totalSize: 0 });
    });

    it('moves a task up when its status changes [LIST-04] [A-36]', async () => {
      const own = randomUUID();
      const first = await runTask(client(), '/ask', { contextId: own });
      await clockTick();
      const second = await runTask(client(), '/task', { contextId: own });
      expect(ids(await client().listTasks({ contextId: own }))).toEqual([second.id, first.id]);
      await clockTick();
      await runTask(client(), 'an answer', { taskId: first.id });
      expect(ids(await client().listTasks({ contextId: own }))).toEqual([first.id, second.id]);
    });

    it('shows a task that still works [LIST-01]', async () => {
      const own = randomUUID();
      const { id } = await startTask(client(), '/sleep ms=60000', { contextId: own });
      expect(ids(await client().listTasks({ contextId: own }))).toEqual([id]);
      await client().cancelTask({ id });
      expect(ids(await client().listTasks({ contextId: own, status: 'TASK_STATE_CANCELED' }))).toEqual([id]);
    });

    it.each([
      ['pageSize', { pageSize: 0 }],
      ['pageSize', { pageSize: 101 }],
      ['pageSize', { pageSize: -1 }],
      ['pageSize', { pageSize: 1_000_000_000 }],
      ['historyLength', { historyLength: -5 }],
      ['pageToken', { pageToken: 'nonsense' }],
      ['pageToken', { pageToken: 'WyIyMDI2IiwiYSJd' }],
    ])('refuses a bad %s: %j [LIST-02] [LIST-03] [LIST-08]', async (field, request: JsonObject) => {
      expect((await errorOf(list(request))).fields).toEqual([pathOn(wire, field)]);
    });

    it('refuses a page token of other filters, and a changed one [LIST-03]', async () => {
      const { nextPageToken } = await list({ pageSize: 2 });
      const other = client().listTasks({ contextId: randomUUID(), pageSize: 2, pageToken: nextPageToken });
      expect((await errorOf(other)).fields).toEqual([pathOn(wire, 'pageToken')]);
      const changed = `${nextPageToken.slice(0, -1)}${nextPageToken.endsWith('A') ? 'B' : 'A'}`;
      expect((await errorOf(list({ pageSize: 2, pageToken: changed }))).fields).toEqual([pathOn(wire, 'pageToken')]);
    });
  });
}
