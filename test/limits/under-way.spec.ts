import { type WireError } from '../support/clients/a2a-client.js';
import { type TaskJson } from '../support/clients/wire-json.js';
import { ADAPTERS, LimitedHost, say, WIRES } from './support/limited-host.js';
import { refusalOf } from './support/refusals.js';

const CAPS = { blockingSends: 1, streamsPerTask: 1, streamsPerCaller: 2, executionsPerCaller: 4, executions: 5, waitingMessages: 1 };
const BLOCKING = {};

describe.each(ADAPTERS)('What is under way at once, on %s,', (adapter) => {
  describe.each(WIRES)('over %s', (wire) => {
    let host: LimitedHost;
    beforeEach(async () => {
      host = await LimitedHost.start(adapter, { core: { caps: { ...CAPS, blockingSends: 9 } }, worker: { caps: { blockingSends: 1 } } });
    });
    afterEach(() => host.stop());

    const client = (agent?: string) => host.client(wire, agent);
    const begin = async (agent?: string): Promise<string> => (await client(agent).send(say('hang'))).task?.id ?? '';

    it('is a limited number of streams of a task, and of a caller, given back when they close [D9]', async () => {
      const [first, second, third] = [await begin(), await begin(), await begin()];
      const stream = await client().subscribe({ id: first });
      const error = await refusalOf(wire, 'too much', client().subscribe({ id: first }));
      expect(error.message).toBe('Too many open streams at once');
      const other = await client().subscribe({ id: second });
      await refusalOf(wire, 'too much', client().subscribe({ id: third }));
      await refusalOf(wire, 'too much', client().stream(say('hang')));
      stream.close();
      await other.next();
      const again = await eventually(() => client().subscribe({ id: first }));
      again.close();
      other.close();
    });

    it('is a limited number of sends that wait; what an agent says of itself goes before what the host says [D11]', async () => {
      const waiting = client().send(say('hang', {}, BLOCKING));
      await eventually(async () => expect((await client().listTasks()).tasks).toHaveLength(1));
      const error = await refusalOf(wire, 'too much', client().send(say('hang', {}, BLOCKING)));
      expect(error.message).toBe('Too many waiting sends at once');
      const theOthers = client('other').send(say('hang', {}, BLOCKING));
      await eventually(async () => expect((await client('other').listTasks()).tasks).toHaveLength(1));
      for (const agent of ['worker', 'other']) {
        for (const { id } of (await client(agent).listTasks()).tasks) await client(agent).cancelTask({ id });
      }
      expect((await waiting).task?.status.state).toBe('TASK_STATE_CANCELED');
      expect((await theOthers).task?.status.state).toBe('TASK_STATE_CANCELED');
    });

    it('is a limited number of turns, a caller and an agent; a cancel storm takes none [D20]', async () => {
      const ids: string[] = [];
      for (let index = 0; index < 4; index++) ids.push(await begin());
      const error = await refusalOf(wire, 'too much', client().send(say('hang')));
      expect(error.message).toBe('Too many messages being worked on at once');
      expect(await begin('other')).toBeTruthy();
      for (const id of ids) await client().cancelTask({ id });
      // Each joins the first cancel or comes too late for it.
      const storm = await Promise.allSettled(Array.from({ length: 20 }, () => client().cancelTask({ id: ids[0] ?? '' })));
      for (const cancel of storm) expect(outcomeOf(cancel)).toMatch(/^(TASK_STATE_CANCELED|TASK_NOT_CANCELABLE)$/);
      expect(await begin()).toBeTruthy();
    });

    it('is a limited number of messages that wait for one task [D20]', async () => {
      const taskId = await begin();
      await client().send(say('more', { taskId }));
      const error = await refusalOf(wire, 'too much', client().send(say('more', { taskId })));
      expect(error.message).toBe('Too many messages wait for this task');
      expect((await client().getTask({ id: taskId })).history).toHaveLength(2);
    });
  });
});

describe.each(ADAPTERS)('A blocking send on %s', (adapter) => {
  it.each(WIRES)('over %s that reaches the longest wait answers with the task, which goes on [D11, EXEC-04]', async (wire) => {
    const host = await LimitedHost.start(adapter, { core: { blockingTimeoutMs: 100 } });
    const { task } = await host.client(wire).send(say('hang', {}, BLOCKING));
    expect(task?.status.state).toMatch(/^TASK_STATE_(SUBMITTED|WORKING)$/);
    const stateOf = async () => (await host.client(wire).getTask({ id: task?.id ?? '' })).status.state;
    await eventually(async () => expect(await stateOf()).toBe('TASK_STATE_WORKING'));
    await host.stop();
  });
});

describe.each(ADAPTERS)('A task that grows without end, on %s,', (adapter) => {
  const limits = { historyMessages: 4, artifactChunks: 10, taskBytes: 100_000 };

  it.each(WIRES)('ends as FAILED with a fixed text, and takes no message beyond its limits, over %s [D12]', async (wire) => {
    const host = await LimitedHost.start(adapter, { worker: { limits } });
    const client = host.client(wire);
    for (const [command, text] of [
      ['talk 50', 'it may have 4 messages'],
      ['chunks 50', 'it may have 10 chunks of artifacts'],
      ['chunks 9 50000', 'it may have 100000 bytes'],
    ] as const) {
      const { task } = await client.send(say(command, {}, BLOCKING));
      expect([task?.status.state, JSON.stringify(task?.status.message)]).toEqual([
        'TASK_STATE_FAILED',
        expect.stringContaining(`The task is full: ${text}`),
      ]);
    }
    const { task: asked } = await client.send(say('ask', {}, BLOCKING));
    const taskId = asked?.id ?? '';
    await client.send(say('ask', { taskId }, BLOCKING));
    const error = await refusalOf(wire, 'full', client.send(say('ask', { taskId }, BLOCKING)));
    expect(error.message).toBe('The task is full: it may have 4 messages');
    expect((await client.getTask({ id: taskId })).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect((await host.client(wire, 'other').send(say('chunks 50', {}, BLOCKING))).task?.status.state).toBe('TASK_STATE_COMPLETED');
    await host.stop();
  });
});

/** Tries again until the server has noticed what happened a moment ago. */
async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < 5_000; tries++) {
    try {
      return await attempt();
    } catch {
      await new Promise(setImmediate);
    }
  }
  return attempt();
}

function outcomeOf(cancel: PromiseSettledResult<TaskJson>): unknown {
  return cancel.status === 'fulfilled' ? cancel.value.status.state : (cancel.reason as WireError).reason;
}
