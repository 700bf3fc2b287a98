import { randomUUID } from 'node:crypto';
import { type TaskJson } from '../support/clients/wire-json.js';
import { type ConformanceHost, WIRES } from './conformance-host.js';
import { outline, reasonOf, runTask, say, startTask, taskOf } from './requests.js';

/** A2A §3.1.5. */
export function cancelSuite(host: () => ConformanceHost): void {
  describe.each(WIRES)('CancelTask over %s', (wire) => {
    const client = () => host().client(wire);

    it('stops a working task and returns it [CANC-01]', async () => {
      const { id } = await startTask(client(), '/sleep ms=60000');
      expect(await client().cancelTask({ id })).toMatchObject({ id, status: { state: 'TASK_STATE_CANCELED' } });
      expect((await client().getTask({ id })).status.state).toBe('TASK_STATE_CANCELED');
    });

    it.each(['/ask', '/auth'])('cancels a task that waits: %s [CANC-01]', async (text) => {
      const { id } = await runTask(client(), text);
      expect((await client().cancelTask({ id })).status.state).toBe('TASK_STATE_CANCELED');
    });

    it('returns the canceled task again when asked twice [CANC-03]', async () => {
      const { id } = await runTask(client(), '/ask');
      const first = await client().cancelTask({ id });
      expect(await client().cancelTask({ id })).toEqual(first);
    });

    it.each(['tck-complete-task', 'tck-task-failure', 'tck-reject-task'])('refuses what has ended: %s [CANC-02]', async (prefix) => {
      const { id } = await runTask(client(), 'go', { messageId: `${prefix}-${randomUUID()}` });
      expect(await reasonOf(client().cancelTask({ id }))).toBe('TASK_NOT_CANCELABLE');
    });

    it('does not know tasks that do not exist [CANC-05]', async () => {
      expect(await reasonOf(client().cancelTask({ id: randomUUID() }))).toBe('TASK_NOT_FOUND');
    });

    it('tells everybody who reads the task, and ends their streams [CANC-07] [DLV-07]', async () => {
      const sender = await client().stream(say('/sleep ms=60000'));
      const { id } = taskOf((await sender.next())?.item ?? {});
      const reader = await client().subscribe({ id });
      await client().cancelTask({ id });
      expect(outline(await sender.rest()).at(-1)).toBe('status CANCELED');
      expect(outline(await reader.rest()).at(-1)).toBe('status CANCELED');
    });

    it('lets a blocked send return the canceled task [CANC-07] [EXEC-01]', async () => {
      const contextId = randomUUID();
      const blocked = client().send(say('/sleep ms=60000', { contextId }));
      const id = await workingTaskIn(contextId);
      await client().cancelTask({ id });
      expect(taskOf(await blocked)).toMatchObject({ id, status: { state: 'TASK_STATE_CANCELED' } });
    });

    it('takes nothing from an agent that will not stop [TURN-16]', async () => {
      const canceled = await cancelStubborn(300);
      expect(canceled.status.state).toBe('TASK_STATE_CANCELED');
      await runTask(client(), '/sleep ms=400');
      expect(await client().getTask({ id: canceled.id })).toEqual(canceled);
    });

    /** Cancels an agent that works on for `ms`; for longer, where it was done before the cancel came. */
    async function cancelStubborn(ms: number): Promise<TaskJson> {
      const { id } = await startTask(client(), `/stubborn ms=${ms}`);
      try {
        return await client().cancelTask({ id });
      } catch (error) {
        if ((await client().getTask({ id })).status.state !== 'TASK_STATE_COMPLETED') throw error;
        return cancelStubborn(ms * 3);
      }
    }

    /** A blocked send gives no id, so the task is looked for by its context. */
    async function workingTaskIn(contextId: string): Promise<string> {
      for (;;) {
        const { tasks } = await client().listTasks({ contextId, status: 'TASK_STATE_WORKING' });
        if (tasks[0]) return tasks[0].id;
      }
    }
  });
}
