import { agentMessage, DuplicateMessage, type TaskRepository } from '@a2a/a2a-core';
import { creation, growth, newScope } from '../task-changes.js';
import { type MakeTaskRepository } from './make.js';

export function describeReceipts(make: MakeTaskRepository): void {
  describe('receipts', () => {
    let tasks: TaskRepository;
    beforeAll(async () => {
      tasks = await make();
    });

    it('tells the task that a message became [A2A §3.3.1]', async () => {
      const scope = newScope();
      await tasks.commit(scope, creation('t', { receipt: { messageId: 'm1', digest: 'd1' } }), 0);
      await tasks.commit(scope, growth('t', 1, ['x'], { receipt: { messageId: 'm2', digest: 'd2' } }), 1);
      await expect(tasks.findReceived(scope, 'm1')).resolves.toEqual({ messageId: 'm1', digest: 'd1', taskId: 't', reply: undefined });
      await expect(tasks.findReceived(scope, 'm2')).resolves.toMatchObject({ digest: 'd2', taskId: 't' });
      await expect(tasks.findReceived(scope, 'm3')).resolves.toBeUndefined();
    });

    it('tells the direct reply to a message', async () => {
      const scope = newScope();
      const reply = agentMessage('hello\0 there');
      await tasks.saveReply(scope, { messageId: 'm', digest: 'd' }, reply);
      const received = await tasks.findReceived(scope, 'm');
      expect(received).toEqual({ messageId: 'm', digest: 'd', taskId: undefined, reply });
      expect(received?.reply).not.toBe(reply);
    });

    it('refuses a message id that was accepted before, as a task or as a reply', async () => {
      const scope = newScope();
      const receipt = { messageId: 'm', digest: 'd' };
      await tasks.saveReply(scope, receipt, agentMessage('first'));
      await expect(tasks.saveReply(scope, receipt, agentMessage('second'))).rejects.toThrow(DuplicateMessage);
      await expect(tasks.commit(scope, creation('t', { receipt }), 0)).rejects.toThrow(DuplicateMessage);
      const other = { messageId: 'n', digest: 'd' };
      await tasks.commit(scope, creation('t', { receipt: other }), 0);
      await expect(tasks.saveReply(scope, other, agentMessage('late'))).rejects.toThrow(DuplicateMessage);
      await expect(tasks.findReceived(scope, 'n')).resolves.toMatchObject({ taskId: 't', reply: undefined });
    });

    it('accepts exactly one of 20 parallel copies of a message, whatever they would become', async () => {
      const scope = newScope();
      const receipt = { messageId: 'm', digest: 'd' };
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, copy) =>
          copy % 2 === 0
            ? tasks.commit(scope, creation(`t${copy}`, { receipt }), 0)
            : tasks.saveReply(scope, receipt, agentMessage(`reply ${copy}`)),
        ),
      );
      const accepted = outcomes.flatMap(({ status }, copy) => (status === 'fulfilled' ? [copy] : []));
      expect(accepted).toHaveLength(1);
      for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(DuplicateMessage);
      const copy = accepted[0] ?? -1;
      const received = await tasks.findReceived(scope, 'm');
      if (copy % 2 === 0) expect(received).toMatchObject({ taskId: `t${copy}`, reply: undefined });
      else expect(received).toMatchObject({ taskId: undefined, reply: { parts: [{ content: { value: `reply ${copy}` } }] } });
      expect((await tasks.list(scope, { limit: 50 })).total).toBe(copy % 2 === 0 ? 1 : 0);
    });

    it('takes a message id again once its receipt has expired', async () => {
      const forgetful = await make({ receiptTtlMs: 0 });
      const scope = newScope();
      const receipt = { messageId: 'm', digest: 'd' };
      await forgetful.commit(scope, creation('t1', { receipt }), 0);
      await expect(forgetful.findReceived(scope, 'm')).resolves.toBeUndefined();
      await expect(forgetful.commit(scope, creation('t2', { receipt }), 0)).resolves.toBe(1);
      await expect(forgetful.saveReply(scope, receipt, agentMessage('again'))).resolves.toBeUndefined();
      await expect(forgetful.commit(scope, growth('t2', 1, ['x'], { receipt }), 1)).resolves.toBe(2);
    });
  });
}
