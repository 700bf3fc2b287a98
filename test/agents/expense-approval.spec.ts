import { say, taskOf } from '../conformance/requests.js';
import { RestClient } from '../support/clients/rest.js';
import { type StreamItemJson, type TaskJson } from '../support/clients/wire-json.js';
import { useDurableDatabase } from '../support/durable-database.js';
import { type Host, startHost } from '../support/host.js';
import { ApprovalPage } from './approval-page.js';

const TAXI = '42.50 EUR for taxi on 2026-11-03, cost centre 4711';

describe('An expense on the built host with a database', () => {
  const database = useDurableDatabase();
  let adapter = 'fastify';
  let host: Host;
  let client: RestClient;

  /** Each start takes the other HTTP adapter; the store does not care. */
  async function start(): Promise<void> {
    adapter = adapter === 'express' ? 'fastify' : 'express';
    const env = { ...database().env, HTTP_ADAPTER: adapter };
    host = await startHost({ env });
    client = new RestClient(`${host.httpUrl}/agents/expense-approval`);
  }

  beforeAll(start);
  afterAll(() => host.stop());

  const submit = async (): Promise<TaskJson> => taskOf(await client.send(say(TAXI)));

  async function expensesOf(task: TaskJson): Promise<unknown> {
    const listed = taskOf(await client.send(say('list my expenses', { referenceTaskIds: [task.id] })));
    return listed.artifacts?.[0]?.parts[0]?.data;
  }

  it('is asked for piece by piece, approved out of band, and booked before its subscribers [AUTHT-04]', async () => {
    const asked = taskOf(await client.send(say('42.50 EUR for taxi')));
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const task = taskOf(await client.send(say('on 2026-11-03, cost centre 4711', { taskId: asked.id })));
    expect(task.status.state).toBe('TASK_STATE_AUTH_REQUIRED');

    const streams = [await client.subscribe({ id: task.id }), await client.subscribe({ id: task.id })];
    expect(await (await ApprovalPage.open(host, task)).press('approve')).toBe(200);
    const [first = [], second] = await Promise.all(streams.map((stream) => stream.rest()));
    expect(states(first)).toEqual(['TASK_STATE_AUTH_REQUIRED', 'TASK_STATE_WORKING', 'booking', 'TASK_STATE_COMPLETED']);
    expect(second).toEqual(first);
  });

  it('is booked once when the host is killed while it waits, and three people approve at once', async () => {
    const task = await submit();
    await host.kill('SIGKILL');
    await start();
    const stream = await client.subscribe({ id: task.id });
    const page = await ApprovalPage.open(host, task);
    expect(await Promise.all([1, 2, 3].map(() => page.press('approve')))).toEqual([200, 200, 200]);
    expect(states(await stream.rest())).toEqual(['TASK_STATE_AUTH_REQUIRED', 'TASK_STATE_WORKING', 'booking', 'TASK_STATE_COMPLETED']);
    expect(await expensesOf(task)).toEqual({ expenses: [expect.objectContaining({ taskId: task.id, status: 'booked' })] });
  });

  it('ends well wherever the kill comes after the decision: booked once, or waiting still', async () => {
    const task = await submit();
    const page = await ApprovalPage.open(host, task);
    await Promise.all([page.press('approve').catch(() => undefined), host.kill('SIGKILL')]);
    await start();
    await (await ApprovalPage.open(host, task)).press('approve');
    const ended = await waitForEnd(task);
    expect(ended.status.state).toBe('TASK_STATE_COMPLETED');
    expect(await expensesOf(task)).toEqual({ expenses: [expect.objectContaining({ taskId: task.id, status: 'booked' })] });
  });

  async function waitForEnd({ id }: TaskJson): Promise<TaskJson> {
    const stream = await client.subscribe({ id }).catch(() => undefined);
    await stream?.rest();
    return client.getTask({ id });
  }
});

/** States and artifact ids in the order they came. */
function states(items: readonly StreamItemJson[]): (string | undefined)[] {
  return items.map(({ task, statusUpdate, artifactUpdate }) => (task ?? statusUpdate)?.status.state ?? artifactUpdate?.artifact.artifactId);
}
