import { create } from '@bufbuild/protobuf';
import { TaskSchema, TaskState } from '../gen/a2a_pb.js';
import { A2aLogger } from '../logging.js';
import { UnavailableError } from '../protocol/errors.js';
import { artifactUpdate, statusUpdate, streamResponse, timestampAt } from '../protocol/events.js';
import { artifact, textOf, userMessage } from '../protocol/messages.js';
import { InMemoryTaskRepository } from '../tasks/in-memory-task.repository.js';
import { InProcessTaskEventBus } from '../tasks/task-event-bus.js';
import { TaskEventLog } from '../tasks/task-event-log.js';
import { DuplicateMessage } from '../tasks/task-repository.js';
import { ManualClock } from '../testing/manual-clock.js';
import { CommitQueue } from './commit-queue.js';

const SCOPE = { agentId: 'a', tenant: '', owner: 'o' };
const IDS = { taskId: 't', contextId: 'c' };
const status = (state: TaskState) => streamResponse(statusUpdate(IDS, state, { timestamp: timestampAt(1) }));
const chunk = (text: string) => streamResponse(artifactUpdate(IDS, artifact(text, { artifactId: text })));

class QuietLogger extends A2aLogger {
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}

describe('the commit queue', () => {
  let repository: InMemoryTaskRepository;
  let clock: ManualClock;
  let logs: TaskEventLog[];

  beforeEach(() => {
    repository = new InMemoryTaskRepository();
    clock = new ManualClock();
    logs = [];
  });
  afterEach(() => logs.forEach((log) => log.onApplicationShutdown()));

  /** The queue of one process; processes share the store and nothing else. */
  async function processAtTask(): Promise<CommitQueue> {
    const log = new TaskEventLog(repository, new InProcessTaskEventBus(), new QuietLogger());
    logs.push(log);
    const services = { log, clock, runner: `p${logs.length}`, stopped: new AbortController().signal };
    const present = await log.load(SCOPE, 't');
    const ref = { scope: SCOPE, taskId: 't' };
    return new CommitQueue(services, ref, 'c', present && { task: present.task, version: present.head.version });
  }

  function begin(queue: CommitQueue, messageId = 'm'): Promise<void> {
    const first = { state: TaskState.SUBMITTED, timestamp: timestampAt(1) };
    const task = create(TaskSchema, { id: 't', contextId: 'c', status: first, history: [userMessage('hi')] });
    queue.begin(task, { messageId, digest: 'd' });
    return queue.flush();
  }

  async function stored(): Promise<{ version?: number; artifacts?: string[] }> {
    const found = await logs[0]?.load(SCOPE, 't');
    return { version: found?.head.version, artifacts: found?.task.artifacts.map((one) => textOf(one)) };
  }

  it('commits what comes in one turn of the event loop at once, in order [DLV-03]', async () => {
    const queue = await processAtTask();
    const commits = jest.spyOn(repository, 'commit');
    const begun = begin(queue);
    queue.add(status(TaskState.WORKING));
    queue.add(chunk('one'));
    await begun;
    expect(commits.mock.calls.map(([, { events }]) => events.map(({ version }) => version))).toEqual([[1, 2, 3]]);
    expect(await stored()).toEqual({ version: 3, artifacts: ['one'] });
  });

  it('goes behind what another process wrote, and says that its task is another one', async () => {
    const here = await processAtTask();
    await begin(here);
    const there = await processAtTask();
    there.add(chunk('theirs'));
    await there.flush();
    here.add(chunk('ours'));
    const settled = await here.flushed();
    expect(await stored()).toEqual({ version: 3, artifacts: ['theirs', 'ours'] });
    expect([settled, here.rebases]).toEqual([undefined, 1]);
  });

  it('writes nothing behind an end that another process wrote', async () => {
    const here = await processAtTask();
    await begin(here);
    const there = await processAtTask();
    there.add(status(TaskState.COMPLETED));
    await there.flush();
    here.add(chunk('late'));
    await expect(here.flush()).rejects.toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
    expect(await stored()).toEqual({ version: 2, artifacts: [] });
  });

  it('writes nothing for a task that was deleted', async () => {
    const queue = await processAtTask();
    await begin(queue);
    await repository.delete(SCOPE, ['t']);
    queue.add(chunk('late'));
    await expect(queue.flush()).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
  });

  it('waits for a store that is away, ever longer, and then goes on', async () => {
    const queue = await processAtTask();
    const commits = jest.spyOn(repository, 'commit');
    for (let failure = 0; failure < 3; failure++) commits.mockRejectedValueOnce(new UnavailableError());
    const begun = begin(queue);
    await clock.advance(100 + 200 + 399);
    expect(await stored()).toEqual({});
    await clock.advance(1);
    await begun;
    expect(await stored()).toEqual({ version: 1, artifacts: [] });
  });

  it('takes a message back that was accepted before, with all it brought about [SEND-09]', async () => {
    const here = await processAtTask();
    await begin(here);
    here.add(status(TaskState.INPUT_REQUIRED));
    await here.flush();
    const again = await processAtTask();
    const said = again.addMessage([status(TaskState.SUBMITTED), streamResponse(userMessage('hi'))], { messageId: 'm', digest: 'd' });
    await expect(said).rejects.toBeInstanceOf(DuplicateMessage);
    await again.flush();
    expect([await stored(), again.status?.state]).toEqual([{ version: 2, artifacts: [] }, TaskState.INPUT_REQUIRED]);
  });

  it('commits what the agent wrote beside a message that is taken back', async () => {
    await begin(await processAtTask());
    const again = await processAtTask();
    const said = again.addMessage([streamResponse(userMessage('hi'))], { messageId: 'm', digest: 'd' });
    again.add(chunk('one'));
    await again.flush();
    await expect(said).rejects.toBeInstanceOf(DuplicateMessage);
    expect(await stored()).toEqual({ version: 2, artifacts: ['one'] });
  });

  it('tells who said something when the task has ended elsewhere', async () => {
    const here = await processAtTask();
    await begin(here);
    const there = await processAtTask();
    there.add(status(TaskState.COMPLETED));
    await there.flush();
    const said = here.addMessage([streamResponse(userMessage('more'))], { messageId: 'm2', digest: 'd' });
    await expect(said).rejects.toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
    expect(await stored()).toEqual({ version: 2, artifacts: [] });
  });
});
