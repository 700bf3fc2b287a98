import { type ConformanceHost, WIRES } from './conformance-host.js';
import { messageOf, outline, readUntil, reasonOf, runTask, say, taskOf, textsOf } from './requests.js';

/** A2A §3.1.2, §3.5. */
export function streamingSuite(host: () => ConformanceHost): void {
  describe.each(WIRES)('SendStreamingMessage over %s', (wire) => {
    const client = () => host().client(wire);

    it('streams a direct answer as one message and closes [STRM-01] [DLV-12]', async () => {
      const items = await (await client().stream(say('/echo hello'))).rest();
      expect(outline(items)).toEqual(['message']);
      expect(textsOf(messageOf(items[0] ?? {}))).toEqual(['hello']);
    });

    it('streams the task first, then its updates, and closes at the end [STRM-01] [STRM-02] [DLV-07]', async () => {
      const items = await (await client().stream(say('/task'))).rest();
      expect(outline(items).slice(-3)).toEqual(['status WORKING', 'artifact', 'status COMPLETED']);
      expect(outline(items)[0]).toBe('task SUBMITTED');
      expect(outline(items).filter((kind) => kind.startsWith('task'))).toHaveLength(1);
    });

    it('puts both ids into every item [DLV-08]', async () => {
      const [first, ...updates] = await (await client().stream(say('/task'))).rest();
      const { id: taskId, contextId } = taskOf(first ?? {});
      expect(taskId && contextId).toMatch(/./);
      for (const { statusUpdate, artifactUpdate } of updates) {
        expect(statusUpdate ?? artifactUpdate).toMatchObject({ taskId, contextId });
      }
    });

    it('delivers chunks in the order they were made, with append and lastChunk [DLV-01] [DLV-09]', async () => {
      const items = await (await client().stream(say('/stream n=40 bytes=12'))).rest();
      const chunks = items.flatMap(({ artifactUpdate }) => (artifactUpdate ? [artifactUpdate] : []));
      expect(chunks.map(({ artifact }) => Number.parseInt(artifact.parts[0]?.text ?? '', 10))).toEqual([...Array(40).keys()]);
      expect(chunks.map(({ append = false }) => append)).toEqual(Array.from({ length: 40 }, (_, i) => i > 0));
      expect(chunks.map(({ lastChunk = false }) => lastChunk)).toEqual(Array.from({ length: 40 }, (_, i) => i === 39));
      expect(new Set(chunks.map(({ artifact }) => artifact.artifactId)).size).toBe(1);
    });

    it('stores the chunks as the one artifact they make [DLV-09]', async () => {
      const items = await (await client().stream(say('/stream n=20 bytes=10'))).rest();
      const sent = items.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts ?? []);
      const { artifacts = [] } = await client().getTask({ id: taskOf(items[0] ?? {}).id });
      expect(artifacts).toHaveLength(1);
      expect(artifacts[0]?.parts.map(({ text }) => text).join('')).toBe(sent.map(({ text }) => text).join(''));
    });

    it('gives feedback while the work goes on, not at its end [STRM-03]', async () => {
      const stream = await client().stream(say('/sleep ms=60000'));
      const seen = await readUntil(stream, 'status WORKING');
      expect(outline(seen)[0]).toMatch(/^task/);
      await client().cancelTask({ id: taskOf(seen[0] ?? {}).id });
      expect(outline(await stream.rest()).at(-1)).toBe('status CANCELED');
    });

    it('shows through GetTask at least what was streamed [DLV-10]', async () => {
      const stream = await client().stream(say('/stream n=30 bytes=8 every=1'));
      let seen = 0;
      for (let event = await stream.next(); event; event = await stream.next()) {
        if (!event.item.artifactUpdate || ++seen % 10 !== 0) continue;
        const { artifacts = [] } = await client().getTask({ id: event.item.artifactUpdate.taskId });
        expect(artifacts[0]?.parts.length).toBeGreaterThanOrEqual(seen);
      }
      expect(seen).toBe(30);
    });

    it('goes on when the reader has gone [DLV-06]', async () => {
      const stream = await client().stream(say('/stream n=20 bytes=8 every=10'));
      const { id } = taskOf((await stream.next())?.item ?? {});
      stream.close();
      // Behind its first event, so that a task that has ended meanwhile is no error.
      const items = await (await client().subscribe({ id }, { headers: { 'last-event-id': '1' } })).rest();
      expect(outline(items).at(-1)).toBe('status COMPLETED');
      expect((await client().getTask({ id })).artifacts?.[0]?.parts).toHaveLength(20);
    });

    it('closes when the agent needs input [DLV-07]', async () => {
      const items = await (await client().stream(say('/ask'))).rest();
      expect(outline(items).at(-1)).toBe('status INPUT_REQUIRED');
    });

    it('stays open when the agent needs an authorization, and goes on from there [AUTHT-03] [AUTHT-04]', async () => {
      const stream = await client().stream(say('/auth'));
      const seen = await readUntil(stream, 'status AUTH_REQUIRED');
      await client().send(say('deny', { taskId: taskOf(seen[0] ?? {}).id }));
      expect(outline(await stream.rest()).at(-1)).toBe('status FAILED');
    });

    it('streams a follow-up from the task as it is now [STRM-02] [SEND-12]', async () => {
      const asked = await runTask(client(), '/ask');
      const items = await (await client().stream(say('an answer', { taskId: asked.id }))).rest();
      expect(items[0]?.task?.id).toBe(asked.id);
      expect(outline(items).slice(1)).toEqual(expect.arrayContaining(['artifact', 'status COMPLETED']));
      expect(outline(items).at(-1)).toBe('status COMPLETED');
    });

    it('heeds historyLength in the task it sends and no returnImmediately [STRM-05] [A-46]', async () => {
      const items = await (await client().stream(say('/task', {}, { historyLength: 0, returnImmediately: true }))).rest();
      expect(items[0]?.task).not.toHaveProperty('history');
      expect(outline(items).at(-1)).toBe('status COMPLETED');
    });

    it('ends the stream of a failing agent with FAILED and without its error [ERR-10]', async () => {
      const items = await (await client().stream(say('/throw when=after'))).rest();
      expect(outline(items).at(-1)).toBe('status FAILED');
      expect(JSON.stringify(items)).not.toContain('secret-canary');
    });

    it('passes on nothing that the protocol forbids [ERR-09] [STRM-01]', async () => {
      const after = await (await client().stream(say('/bad kind=message-after-task'))).rest();
      expect(outline(after)).not.toContain('message');
      expect(outline(after).at(-1)).toBe('status FAILED');
      expect(await reasonOf(client().stream(say('/bad kind=two-messages')))).toBe('INVALID_AGENT_RESPONSE');
    });

    it('refuses before the first item as an ordinary error [ERR-23] [ERR-34]', async () => {
      expect(await reasonOf(client().stream(say('x', { taskId: 'nobody' })))).toBe('TASK_NOT_FOUND');
      expect(await reasonOf(client().stream(say('', { parts: [] })))).not.toBe('INTERNAL');
    });

    it('keeps a fast agent and a slow reader apart [DLV-11]', async () => {
      const stream = await client().stream(say('/burst n=2000 bytes=50'));
      const quick = await client().send(say('/echo meanwhile'));
      expect(textsOf(quick.message)).toEqual(['meanwhile']);
      const items = await stream.rest();
      expect(items.filter(({ artifactUpdate }) => artifactUpdate)).toHaveLength(2_000);
    });
  });

  describe('SSE frames', () => {
    const open = (path: string, body: string): Promise<Response> =>
      fetch(path, { method: 'POST', body, headers: { 'content-type': 'application/json', 'a2a-version': '1.0' } });

    it('is a live event stream that no proxy should keep back [REST-13] [REST-15]', async () => {
      const response = await open(`${host().rest.url}/message:stream`, JSON.stringify(say('/task')));
      await response.text();
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
      expect(response.headers.get('cache-control')).toMatch(/no-cache|no-store/);
      expect(response.headers.get('x-accel-buffering')).toBe('no');
    });

    it('carries bare items over REST and envelopes with the request id over JSON-RPC [REST-13] [JRPC-09]', async () => {
      const rest = await open(`${host().rest.url}/message:stream`, JSON.stringify(say('/echo a')));
      expect(dataOf(await rest.text())).toMatchObject([{ message: { parts: [{ text: 'a' }] } }]);
      const call = { jsonrpc: '2.0', id: 'my id', method: 'SendStreamingMessage', params: say('/echo a') };
      const rpc = await open(host().jsonRpc.url, JSON.stringify(call));
      expect(dataOf(await rpc.text())).toMatchObject([{ jsonrpc: '2.0', id: 'my id', result: { message: { parts: [{ text: 'a' }] } } }]);
    });

    it('answers a refused stream with JSON and its status [ERR-23] [ERR-34]', async () => {
      const request = JSON.stringify(say('x', { taskId: 'nobody' }));
      const rest = await open(`${host().rest.url}/message:stream`, request);
      expect([rest.status, rest.headers.get('content-type')]).toEqual([404, expect.stringMatching(/^application\/a2a\+json/)]);
      const call = `{"jsonrpc":"2.0","id":1,"method":"SendStreamingMessage","params":${request}}`;
      const rpc = await open(host().jsonRpc.url, call);
      expect([rpc.status, rpc.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/)]);
    });
  });
}

function dataOf(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice(5)) as unknown);
}
