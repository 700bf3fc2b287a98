import { create } from '@bufbuild/protobuf';
import { TaskSchema, TaskState } from '../gen/a2a_pb.js';
import { A2aLogger } from '../logging.js';
import { artifactUpdate, statusUpdate, streamResponse } from '../protocol/events.js';
import { artifact, textOf, userMessage } from '../protocol/messages.js';
import { InMemoryTaskRepository } from './in-memory-task.repository.js';
import { TaskEventBus } from './task-event-bus.js';
import { TaskEventLog } from './task-event-log.js';
import { TaskEvent } from './task-event.js';

const SCOPE = { agentId: 'a', tenant: '', owner: 'o' };
const IDS = { taskId: 't', contextId: 'c' };
const NEVER = new AbortController().signal;

/** Loses every wake-up. */
class SilentBus extends TaskEventBus {
  wake(): void {}
  subscribe(): () => void {
    return () => undefined;
  }
  subscribeAll(): () => void {
    return () => undefined;
  }
}

class QuietLogger extends A2aLogger {
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}

describe('the event log', () => {
  let repository: InMemoryTaskRepository;
  let logs: TaskEventLog[];
  let version: number;

  beforeEach(() => {
    repository = new InMemoryTaskRepository();
    logs = [];
    version = 0;
  });
  afterEach(() => logs.forEach((log) => log.onApplicationShutdown()));

  /** One log a process; they share the store and nothing else. */
  const process_ = () => {
    const log = new TaskEventLog(repository, new SilentBus(), new QuietLogger());
    logs.push(log);
    return log;
  };
  const append = async (log: TaskEventLog, ...payloads: Parameters<typeof streamResponse>[0][]) => {
    const events = payloads.map((payload, index) => new TaskEvent(version + index + 1, streamResponse(payload)));
    const last = payloads.at(-1);
    const state = last?.$typeName === 'lf.a2a.v1.TaskStatusUpdateEvent' ? (last.status?.state ?? 0) : TaskState.WORKING;
    version = await log.append(SCOPE, { ...IDS, events, state, statusAtMs: 1 }, version);
  };
  const begin = (log: TaskEventLog) =>
    append(log, create(TaskSchema, { id: 't', contextId: 'c', status: { state: TaskState.SUBMITTED }, history: [userMessage('hi')] }));
  const chunk = (index: number) => artifactUpdate(IDS, artifact(String(index), { artifactId: 'x' }), { append: index > 0 });
  const read = async (log: TaskEventLog, after: number, signal = NEVER) => {
    const versions: number[] = [];
    for await (const event of log.follow(SCOPE, 't', after, signal)) versions.push(event.version);
    return versions;
  };
  const upTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

  it('gives every reader every event once and in order, whenever it starts [DLV-01, DLV-04]', async () => {
    const log = process_();
    await begin(log);
    const early = read(log, 0);
    for (let index = 0; index < 700; index++) {
      await append(log, chunk(index));
      if (index % 100 === 0) await new Promise(setImmediate);
    }
    const late = read(log, 300);
    await append(log, statusUpdate(IDS, TaskState.COMPLETED));
    expect(await early).toEqual(upTo(1, 702));
    expect(await late).toEqual(upTo(301, 702));
    expect(await read(log, 700)).toEqual([701, 702]);
  });

  it('sees what another process wrote although every wake-up is lost', async () => {
    const [writer, reader] = [process_(), process_()];
    await begin(writer);
    const seen = read(reader, 1);
    await new Promise(setImmediate);
    await append(writer, chunk(0), chunk(1));
    await append(writer, statusUpdate(IDS, TaskState.COMPLETED));
    expect(await seen).toEqual([2, 3, 4]);
  });

  it('lets a slow reader miss nothing', async () => {
    const log = process_();
    await begin(log);
    const versions: number[] = [];
    const slow = (async () => {
      for await (const { version: at } of log.follow(SCOPE, 't', 0, NEVER)) {
        versions.push(at);
        if (at % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    for (let index = 0; index < 3_000; index += 10) await append(log, ...upTo(index, index + 9).map(chunk));
    await append(log, statusUpdate(IDS, TaskState.FAILED));
    await slow;
    expect(versions).toEqual(upTo(1, 3_002));
  });

  it('keeps what clients said from readers, and shows it in the task', async () => {
    const log = process_();
    await begin(log);
    await append(log, userMessage('more'), chunk(0));
    await append(log, statusUpdate(IDS, TaskState.COMPLETED));
    expect(await read(log, 0)).toEqual([1, 3, 4]);
    expect((await log.load(SCOPE, 't'))?.task.history.map(textOf)).toEqual(['hi', 'more']);
  });

  it('ends a reader that leaves at once, without an error', async () => {
    const log = process_();
    await begin(log);
    const left = new AbortController();
    const seen = read(log, 0, left.signal);
    await new Promise(setImmediate);
    left.abort();
    expect(await seen).toEqual([1]);
    const iterator = log.follow(SCOPE, 't', 1, NEVER)[Symbol.asyncIterator]();
    const waiting = iterator.next();
    await iterator.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it('loads what was just appended, and nothing of another scope [DLV-10, GET-02]', async () => {
    const log = process_();
    await begin(log);
    for (let index = 0; index < 5; index++) {
      await append(log, chunk(index));
      expect((await log.load(SCOPE, 't'))?.task.artifacts[0]?.parts).toHaveLength(index + 1);
    }
    expect(await log.load({ ...SCOPE, owner: 'p' }, 't')).toBeUndefined();
    expect(await log.load({ ...SCOPE, tenant: 'x' }, 't')).toBeUndefined();
    expect(await log.load({ ...SCOPE, agentId: 'b' }, 't')).toBeUndefined();
  });

  it('forgets what it knew of a task when another process wrote in between', async () => {
    const [one, other] = [process_(), process_()];
    await begin(one);
    await append(other, chunk(0));
    await append(one, chunk(1));
    expect((await one.load(SCOPE, 't'))?.task.artifacts[0]?.parts).toHaveLength(2);
  });

  it('reads the store once for a reader that waits, and not at all for one that was expected', async () => {
    // The log also looks again by the clock, which stands still here.
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const log = process_();
    const reads = jest.spyOn(repository, 'readEvents');
    log.expectReader(SCOPE, 't');
    await begin(log);
    const expected = read(log, 0);
    const early = read(log, 1);
    for (let index = 0; index < 20; index++) {
      await append(log, chunk(index));
      await new Promise(setImmediate);
    }
    await append(log, statusUpdate(IDS, TaskState.COMPLETED));
    expect(await expected).toEqual(upTo(1, 22));
    expect(await early).toEqual(upTo(2, 22));
    expect(reads).not.toHaveBeenCalled();
    jest.useRealTimers();
  });

  describe('of a task that is deleted', () => {
    it('lets every reader go at once, and knows nothing of the task any more', async () => {
      const log = process_();
      await begin(log);
      await append(log, chunk(0));
      await log.load(SCOPE, 't');
      const readers = [read(log, 0), read(log, 2)];
      await new Promise(setImmediate);
      await expect(log.delete(SCOPE, ['t', 'absent'])).resolves.toBe(1);
      expect(await Promise.all(readers)).toEqual([[1, 2], []]);
      expect(await log.load(SCOPE, 't')).toBeUndefined();
    });

    it('lets readers of another process go within seconds', async () => {
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
      const [other, log] = [process_(), process_()];
      await begin(other);
      const reader = read(log, 0);
      await new Promise(setImmediate);
      await other.delete(SCOPE, ['t']);
      await jest.advanceTimersByTimeAsync(11_000);
      jest.useRealTimers();
      expect(await reader).toEqual([1]);
    });

    it('lets a reader go that has fallen behind what is kept', async () => {
      const log = process_();
      await begin(log);
      const leading = read(log, 1);
      const iterator = log.follow(SCOPE, 't', 0, NEVER)[Symbol.asyncIterator]();
      await iterator.next();
      await append(log, ...upTo(0, 2_000).map(chunk));
      await new Promise(setImmediate);
      await repository.delete(SCOPE, ['t']);
      expect((await iterator.next()).done).toBe(true);
      await log.delete(SCOPE, ['t']);
      expect((await leading).length).toBeGreaterThan(0);
    });
  });

  it('never changes a task it has handed out', async () => {
    const log = process_();
    await begin(log);
    await append(log, chunk(0));
    const first = await log.load(SCOPE, 't');
    const copy = structuredClone(first?.task);
    await append(log, chunk(1));
    await log.load(SCOPE, 't');
    expect(first?.task).toEqual(copy);
  });
});
