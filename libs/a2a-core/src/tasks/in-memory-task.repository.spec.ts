import { Clock } from '../clock.js';
import { TaskState } from '../gen/a2a_pb.js';
import { agentMessage } from '../protocol/messages.js';
import { statusUpdate, streamResponse } from '../protocol/events.js';
import { InMemoryTaskRepository } from './in-memory-task.repository.js';
import { TaskEvent } from './task-event.js';
import { DuplicateMessage } from './task-repository.js';

/** Stands still until it is set. */
class StoppedClock extends Clock {
  nowMs = 1_000_000;
  now(): number {
    return this.nowMs;
  }
  async sleep(): Promise<void> {}
}

const scope = { agentId: 'agent', tenant: '', owner: 'ada' };

// What every store promises is in test/contracts; here is what depends on this one's clock.
describe('InMemoryTaskRepository', () => {
  it('remembers a message id for as long as it was told [A2A §3.3.1]', async () => {
    const clock = new StoppedClock();
    const tasks = new InMemoryTaskRepository({ clock, receiptTtlMs: 1_000 });
    const receipt = { messageId: 'm', digest: 'd' };
    await tasks.saveReply(scope, receipt, agentMessage('one'));
    clock.nowMs += 999;
    await expect(tasks.saveReply(scope, receipt, agentMessage('two'))).rejects.toThrow(DuplicateMessage);
    clock.nowMs += 1;
    await expect(tasks.findReceived(scope, 'm')).resolves.toBeUndefined();
    await expect(tasks.saveReply(scope, receipt, agentMessage('three'))).resolves.toBeUndefined();
  });

  it('counts a runner as gone once its time is over', async () => {
    const clock = new StoppedClock();
    const tasks = new InMemoryTaskRepository({ clock });
    await tasks.keepAlive('runner', 500);
    const ids = { taskId: 't', contextId: 'c' };
    const events = [new TaskEvent(1, streamResponse(statusUpdate(ids, TaskState.WORKING)))];
    await tasks.commit(scope, { ...ids, events, state: TaskState.WORKING, statusAtMs: 1, runner: 'runner' }, 0);
    clock.nowMs += 499;
    await expect(tasks.findAbandoned(10)).resolves.toEqual([]);
    clock.nowMs += 1;
    await expect(tasks.findAbandoned(10)).resolves.toEqual([{ scope, taskId: 't' }]);
  });
});
