import { randomUUID } from 'node:crypto';
import { type ConformanceHost, WIRES } from './conformance-host.js';
import { errorOf, messageOf, pathOn, runTask, say, taskOf, textsOf } from './requests.js';

/** A2A §3.4. */
export function multiTurnSuite(host: () => ConformanceHost): void {
  describe.each(WIRES)('Conversations over %s', (wire) => {
    const client = () => host().client(wire);

    it('makes a context for a message that has none, a new one each time [TURN-01] [TURN-02]', async () => {
      const [first, second] = [await runTask(client(), '/task'), await runTask(client(), '/task')];
      expect(first.contextId).toMatch(/./);
      expect(second.contextId).not.toBe(first.contextId);
    });

    it('keeps the context that the client brings [TURN-03] [TURN-04]', async () => {
      const contextId = `client/${randomUUID()}`;
      expect((await runTask(client(), '/task', { contextId })).contextId).toBe(contextId);
      expect(messageOf(await client().send(say('/echo hi', { contextId }))).contextId).toBe(contextId);
    });

    it('starts a new task in the context when no task is named [TURN-13]', async () => {
      const contextId = randomUUID();
      const [first, second] = [await runTask(client(), '/ask', { contextId }), await runTask(client(), '/task', { contextId })];
      expect(second.id).not.toBe(first.id);
      expect(second.contextId).toBe(contextId);
    });

    it('takes the context from the task when only the task is named [TURN-10]', async () => {
      const asked = await runTask(client(), '/ask');
      expect((await runTask(client(), 'an answer', { taskId: asked.id })).contextId).toBe(asked.contextId);
    });

    it('accepts task and context that belong together [TURN-10]', async () => {
      const { id, contextId } = await runTask(client(), '/ask');
      expect((await runTask(client(), 'an answer', { taskId: id, contextId })).status.state).toBe('TASK_STATE_COMPLETED');
    });

    it('refuses task and context that do not, and leaves the task as it was [TURN-11]', async () => {
      const asked = await runTask(client(), '/ask');
      const error = await errorOf(client().send(say('an answer', { taskId: asked.id, contextId: randomUUID() })));
      expect(error.fields).toEqual([pathOn(wire, 'message.contextId')]);
      expect(await client().getTask({ id: asked.id })).toEqual(asked);
    });

    it('asks as often as it needs to, within one task [TURN-12]', async () => {
      const asked = await runTask(client(), 'go', { messageId: `tck-input-required-${randomUUID()}` });
      const again = await runTask(client(), 'go', { messageId: `tck-input-required-${randomUUID()}`, taskId: asked.id });
      expect([asked.status.state, again.status.state]).toEqual(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_INPUT_REQUIRED']);
      const done = await runTask(client(), 'enough', { taskId: asked.id });
      expect(done.status.state).toBe('TASK_STATE_COMPLETED');
      expect(done.history?.filter(({ role }) => role === 'ROLE_USER')).toHaveLength(3);
    });

    it('goes on with messages while it waits for an authorization [AUTHT-05]', async () => {
      const { id } = await runTask(client(), '/auth');
      const waiting = await runTask(client(), 'please hurry', { taskId: id });
      expect(waiting.status.state).toBe('TASK_STATE_AUTH_REQUIRED');
      expect((await runTask(client(), 'deny', { taskId: id })).status.state).toBe('TASK_STATE_FAILED');
    });

    it('ignores referenced tasks that the caller cannot see [TURN-14]', async () => {
      const known = await runTask(client(), '/task');
      const task = await runTask(client(), '/task', { referenceTaskIds: [known.id, randomUUID()] });
      expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    });

    it('answers a repeated message from its first time, unless it says something else [SEND-09]', async () => {
      const echo = await host().connect('echo', wire);
      const messageId = randomUUID();
      const first = await echo.send(say('once', { messageId }));
      expect(await echo.send(say('once', { messageId }))).toEqual(first);
      expect((await errorOf(echo.send(say('twice', { messageId })))).fields).toEqual([pathOn(wire, 'message.messageId')]);
      echo.close();
    });

    it('runs turns of one task one after the other [TURN-12]', async () => {
      const { id } = await runTask(client(), '/ask');
      const sends = ['one', 'two', 'three'].map(() =>
        client().send(say('go', { messageId: `tck-input-required-${randomUUID()}`, taskId: id })),
      );
      for (const response of await Promise.all(sends)) expect(taskOf(response).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
      const { history = [] } = await client().getTask({ id });
      expect(history.filter(({ role }) => role === 'ROLE_USER').map(textsOf)).toEqual([['/ask'], ['go'], ['go'], ['go']]);
      await client().cancelTask({ id });
    });
  });
}
