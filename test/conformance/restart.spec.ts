import { type StreamEvent } from '../support/clients/a2a-client.js';
import { type TaskJson } from '../support/clients/wire-json.js';
import { useDurableDatabase } from '../support/durable-database.js';
import { ConformanceHost, HTTP_WIRES, WIRES } from './conformance-host.js';
import { outline, runTask, say, startTask, taskOf, textsOf } from './requests.js';

describe('After a restart of the host on the same database', () => {
  const database = useDurableDatabase();
  let host: ConformanceHost;
  let finished: StreamEvent[];
  let asked: TaskJson[];
  let working: TaskJson;
  let contextId: string;
  const answers: TaskJson[] = [];

  beforeAll(async () => {
    host = await ConformanceHost.start(database().env);
    finished = [];
    for await (const event of await host.rest.stream(say('/stream n=5 bytes=8'))) finished.push(event);
    asked = [];
    for (const wire of WIRES) asked.push(await runTask(host.client(wire), '/ask'));
    working = await startTask(host.rest, '/sleep ms=600000');
    contextId = asked[0]?.contextId ?? '';
    answers.push(await host.rest.getTask({ id: taskOf(finished[0]?.item ?? {}).id }));
    host.grpc.close();
    await host.process.kill('SIGKILL');
    host = await ConformanceHost.start(database().env);
  });

  afterAll(() => host.stop());

  it.each(WIRES)('answers as before for what had finished, over %s', async (wire) => {
    expect(await host.client(wire).getTask({ id: answers[0]?.id ?? '' })).toEqual(answers[0]);
  });

  it.each(HTTP_WIRES)('resumes exactly behind the last event a reader had seen, over %s', async (wire) => {
    const { id } = taskOf(finished[0]?.item ?? {});
    for (const [index, event] of finished.entries()) {
      const resumed: StreamEvent[] = [];
      const headers = { 'last-event-id': event.id ?? '' };
      for await (const next of await host.client(wire).subscribe({ id }, { headers })) resumed.push(next);
      expect(resumed).toEqual(finished.slice(index + 1));
    }
  });

  it('goes on with what waited for a message', async () => {
    for (const [index, wire] of WIRES.entries()) {
      const task = await runTask(host.client(wire), 'an answer', { taskId: asked[index]?.id ?? '' });
      expect(task.status.state).toBe('TASK_STATE_COMPLETED');
      expect(task.artifacts?.map(textsOf)).toEqual([['an answer']]);
      expect(task.contextId).toBe(asked[index]?.contextId);
    }
  });

  it('fails what was running, and says why', async () => {
    // At once on SQLite, whose file belongs to one process; on PostgreSQL when the process has been silent for long enough.
    await (await host.rest.subscribe({ id: working.id }, { headers: { 'last-event-id': '1' } })).rest();
    const task = await host.rest.getTask({ id: working.id });
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    expect(textsOf(task.status.message).join()).toMatch(/restart|stopped|interrupted/i);
  });

  it('lists what it listed', async () => {
    expect((await host.grpc.listTasks({ contextId })).tasks.map(({ id }) => id)).toEqual([asked[0]?.id]);
    expect(outline(finished.map(({ item }) => item)).at(-1)).toBe('status COMPLETED');
  });
});
