import { randomUUID } from 'node:crypto';
import { type StreamEvent } from '../support/clients/a2a-client.js';
import { type ConformanceHost, HTTP_WIRES, WIRES } from './conformance-host.js';
import { errorOf, outline, readUntil, reasonOf, runTask, say, startTask, taskOf } from './requests.js';

/** A2A §3.1.6, §3.5.2. */
export function subscribeSuite(host: () => ConformanceHost): void {
  describe.each(WIRES)('SubscribeToTask over %s', (wire) => {
    const client = () => host().client(wire);

    it('begins with the task as it is, goes on with what follows, and ends with the task [SUBS-01] [SUBS-03]', async () => {
      const { id } = await startTask(client(), '/stream n=100000 bytes=8 every=20');
      const stream = await client().subscribe({ id });
      const items = await readUntil(stream, 'artifact');
      const { artifacts = [] } = await client().cancelTask({ id });
      items.push(...(await stream.rest()));
      const held = items[0]?.task?.artifacts?.[0]?.parts.length ?? 0;
      expect(items[0]?.task?.id).toBe(id);
      expect(outline(items).filter((kind) => kind.startsWith('task'))).toHaveLength(1);
      expect(outline(items).filter((kind) => kind === 'artifact')).toHaveLength((artifacts[0]?.parts.length ?? 0) - held);
      expect(outline(items).at(-1)).toBe('status CANCELED');
    });

    it.each(['/ask', '/auth'])('can be used while the task waits: %s [SUBS-06]', async (text) => {
      const task = await runTask(client(), text);
      const stream = await client().subscribe({ id: task.id });
      expect((await stream.next())?.item.task).toEqual(task);
      await client().cancelTask({ id: task.id });
      expect(outline(await stream.rest())).toEqual(['status CANCELED']);
    });

    it('follows a task through its next turn [SUBS-06]', async () => {
      const { id } = await runTask(client(), '/ask');
      const stream = await client().subscribe({ id });
      await client().send(say('an answer', { taskId: id }));
      expect(outline(await stream.rest()).slice(-2)).toEqual(['artifact', 'status COMPLETED']);
    });

    it.each(['tck-complete-task', 'tck-task-failure', 'tck-reject-task'])('refuses what has ended: %s [SUBS-02]', async (prefix) => {
      const { id } = await runTask(client(), 'go', { messageId: `${prefix}-${randomUUID()}` });
      expect(await reasonOf(client().subscribe({ id }))).toBe('UNSUPPORTED_OPERATION');
    });

    it('does not know tasks that do not exist [SUBS-04]', async () => {
      expect(await reasonOf(client().subscribe({ id: randomUUID() }))).toBe('TASK_NOT_FOUND');
    });

    it('gives each of several readers the same events in the same order [DLV-03] [DLV-04]', async () => {
      const { id } = await runTask(client(), '/ask');
      const streams = await Promise.all([1, 2, 3].map(() => client().subscribe({ id })));
      await client().send(say('/stream n=50 bytes=8', { taskId: id }));
      const [first, ...others] = await Promise.all(streams.map((stream) => stream.rest()));
      expect(outline(first ?? []).at(-1)).toBe('status COMPLETED');
      expect(outline(first ?? []).filter((kind) => kind === 'artifact')).toHaveLength(50);
      for (const other of others) expect(other).toEqual(first);
    });

    it('keeps the others going when one leaves [DLV-05]', async () => {
      const { id } = await runTask(client(), '/ask');
      const [leaving, staying] = await Promise.all([client().subscribe({ id }), client().subscribe({ id })]);
      const sent = client().send(say('/stream n=20 bytes=8 every=5', { taskId: id }));
      await readUntil(leaving, 'artifact');
      leaving.close();
      const items = outline(await staying.rest());
      expect([items.filter((kind) => kind === 'artifact').length, items.at(-1)]).toEqual([20, 'status COMPLETED']);
      await sent;
    });
  });

  it('gives readers on different wires the same events [DLV-04] [CONF-02]', async () => {
    const { id } = await runTask(host().grpc, '/ask');
    const streams = await Promise.all(WIRES.map((wire) => host().client(wire).subscribe({ id })));
    await host().rest.send(say('/stream n=10 bytes=8', { taskId: id }));
    const [jsonRpc, rest, grpc] = await Promise.all(streams.map((stream) => stream.rest()));
    expect(outline(jsonRpc ?? []).at(-1)).toBe('status COMPLETED');
    expect(rest).toEqual(jsonRpc);
    expect(grpc).toEqual(jsonRpc);
  });

  it('can be asked for with GET as well as POST over REST [REST-10]', async () => {
    const { id } = await runTask(host().rest, '/ask');
    const url = `${host().rest.url}/tasks/${id}:subscribe`;
    const hangUp = new AbortController();
    for (const method of ['GET', 'POST']) {
      const response = await fetch(url, { method, headers: { 'a2a-version': '1.0' }, signal: hangUp.signal });
      expect([method, response.status, response.headers.get('content-type')]).toEqual([
        method,
        200,
        expect.stringMatching(/^text\/event-stream/),
      ]);
    }
    hangUp.abort();
  });

  describe.each(HTTP_WIRES)('Resuming with Last-Event-ID over %s', (wire) => {
    const client = () => host().client(wire);

    async function recordRun(text: string): Promise<{ taskId: string; events: StreamEvent[] }> {
      const events: StreamEvent[] = [];
      for await (const event of await client().stream(say(text))) events.push(event);
      return { taskId: taskOf(events[0]?.item ?? {}).id, events };
    }

    it('numbers frames upwards', async () => {
      const { events } = await recordRun('/stream n=5 bytes=8');
      const ids = events.map(({ id }) => Number(id));
      expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('continues exactly behind the event it names, and ends when the task has ended', async () => {
      const { taskId, events } = await recordRun('/stream n=5 bytes=8');
      for (const [index, { id = '' }] of events.entries()) {
        const resumed: StreamEvent[] = [];
        for await (const event of await client().subscribe({ id: taskId }, { headers: { 'last-event-id': id } })) resumed.push(event);
        expect(resumed).toEqual(events.slice(index + 1));
      }
    });

    it('goes on live behind what was missed', async () => {
      const stream = await client().stream(say('/stream n=30 bytes=8 every=5'));
      const seen: StreamEvent[] = [];
      while (seen.length < 5) seen.push((await stream.next()) ?? { item: {} });
      stream.close();
      const headers = { 'last-event-id': seen.at(-1)?.id ?? '' };
      const resumed: StreamEvent[] = [];
      for await (const event of await client().subscribe({ id: taskOf(seen[0]?.item ?? {}).id }, { headers })) resumed.push(event);
      const ids = [...seen, ...resumed].map(({ id }) => Number(id));
      expect(ids).toEqual(Array.from({ length: ids.length }, (_, i) => (ids[0] ?? 0) + i));
      expect(outline(resumed.map(({ item }) => item)).at(-1)).toBe('status COMPLETED');
      expect([...seen, ...resumed].filter(({ item }) => item.artifactUpdate)).toHaveLength(30);
    });

    it.each(['', '-1', 'abc', '1.5', '99999999999999999999', '1000000'])('does not take %j for a place in the log', async (lastEventId) => {
      const { id } = await runTask(client(), '/ask');
      const error = await errorOf(client().subscribe({ id }, { headers: { 'last-event-id': lastEventId } }));
      expect(error.fields).toEqual(['Last-Event-ID']);
    });

    it('refuses a task that has ended without the header, and one that does not exist with it [SUBS-02]', async () => {
      const { taskId } = await recordRun('/task');
      expect(await reasonOf(client().subscribe({ id: taskId }))).toBe('UNSUPPORTED_OPERATION');
      expect(await reasonOf(client().subscribe({ id: randomUUID() }, { headers: { 'last-event-id': '1' } }))).toBe('TASK_NOT_FOUND');
    });
  });
}
