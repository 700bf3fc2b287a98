import { create } from '@bufbuild/protobuf';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { AgentRegistry, type Resolved } from '../agents/agent-registry.js';
import { ANONYMOUS } from '../call/principal.js';
import { type CallSeed } from '../call/call-context.js';
import {
  GetTaskPushNotificationConfigRequestSchema,
  GetTaskRequestSchema,
  ListTasksResponseSchema,
  SendMessageRequestSchema,
  SendMessageResponseSchema,
  StreamResponseSchema,
  TaskSchema,
} from '../gen/a2a_pb.js';
import { A2aLogger } from '../logging.js';
import { A2aError, TaskNotFoundError } from '../protocol/errors.js';
import { CallLog } from './call-log.js';
import { type IncomingCall } from './request-handler.js';
import { SingleStreamItem } from '../streams/stream-item.js';
import { taskIdIn } from './task-id-in.js';

class Lines extends A2aLogger {
  readonly calls: Record<string, unknown>[] = [];

  info(message: string, facts: Record<string, unknown> = {}): void {
    this.calls.push({ message, ...facts });
  }

  debug(): void {}
  warn(): void {}
  error(): void {}
}

class OneAgent extends AgentRegistry {
  readonly agents: readonly HostedAgent[] = [];

  get defaultAgent(): HostedAgent {
    return { id: 'echo' } as HostedAgent;
  }

  find(): HostedAgent | undefined {
    return undefined;
  }

  resolve({ mount }: CallSeed): Resolved {
    if (mount !== undefined) throw new Error('No such agent');
    return { agent: this.defaultAgent, tenant: '' };
  }
}

const request = create(GetTaskRequestSchema, { id: 'task-1' });
const event = new SingleStreamItem(create(StreamResponseSchema, { payload: { case: 'task', value: { id: 'task-2' } } }), 1);

function call(extras: Partial<IncomingCall> = {}): IncomingCall {
  return { binding: 'JSONRPC', headers: new Map(), signal: new AbortController().signal, principal: ANONYMOUS, ...extras };
}

async function* stream(items: number, failure?: Error) {
  for (let item = 0; item < items; item += 1) yield event;
  if (failure) throw failure;
}

describe('CallLog', () => {
  let lines: Lines;
  let log: CallLog;

  beforeEach(() => {
    lines = new Lines();
    log = new CallLog(lines, new OneAgent());
  });

  function streaming(source: AsyncIterable<SingleStreamItem>, from = call()) {
    return log.streaming('SubscribeToTask', request, from, Promise.resolve({ response: source, activatedExtensions: [] }));
  }

  it('tells of an answer once it is there, and hands it on as it is', async () => {
    const answer = { response: create(TaskSchema, { id: 'task-1' }), activatedExtensions: [] };
    const headers = new Map([['content-length', '42']]);
    expect(await log.unary('GetTask', request, call({ headers }), Promise.resolve(answer))).toBe(answer);
    expect(lines.calls).toEqual([
      {
        message: 'Call',
        binding: 'JSONRPC',
        operation: 'GetTask',
        agentId: 'echo',
        taskId: 'task-1',
        outcome: 'ok',
        durationMs: expect.any(Number),
        items: undefined,
        requestBytes: 42,
        owner: expect.stringMatching(/^[0-9a-f]{12}$/),
      },
    ]);
  });

  it('tells why a call failed, and lets the error pass', async () => {
    const error = new TaskNotFoundError('task-1');
    await expect(log.unary('GetTask', request, call(), Promise.reject(error))).rejects.toBe(error);
    const defect = new Error('defect');
    await expect(log.streaming('SubscribeToTask', request, call({ mount: 'nobody' }), Promise.reject(defect))).rejects.toBe(defect);
    expect(lines.calls).toMatchObject([
      { outcome: 'TASK_NOT_FOUND', taskId: 'task-1', agentId: 'echo' },
      { outcome: 'INTERNAL', agentId: undefined },
    ]);
  });

  it('tells of a stream when it has ended, with the number of its items', async () => {
    const { response } = await streaming(stream(3));
    const iterator = response[Symbol.asyncIterator]();
    for (let item = 0; item < 3; item += 1) expect(await iterator.next()).toEqual({ done: false, value: event });
    expect(lines.calls).toEqual([]);
    expect((await iterator.next()).done).toBe(true);
    await iterator.return?.();
    expect(lines.calls).toEqual([expect.objectContaining({ outcome: 'ok', items: 3, taskId: 'task-2' })]);
  });

  it('tells of a reader that left, at once, and of one whose connection went', async () => {
    let released = false;
    const endless = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false as const, value: event }),
        return: async () => {
          released = true;
          return { done: true as const, value: undefined };
        },
      }),
    };
    for await (const item of (await streaming(endless)).response) {
      expect(item).toBe(event);
      break;
    }
    expect(released).toBe(true);

    const gone = new AbortController();
    const { response } = await streaming(stream(0), call({ signal: gone.signal }));
    gone.abort();
    await response[Symbol.asyncIterator]().next();
    expect(lines.calls).toMatchObject([
      { outcome: 'left', items: 1 },
      { outcome: 'left', items: 0 },
    ]);
  });

  it('tells why a stream broke', async () => {
    const iterator = (await streaming(stream(1, new TaskNotFoundError('task-2')))).response[Symbol.asyncIterator]();
    await iterator.next();
    await expect(iterator.next()).rejects.toThrow('Task not found');
    expect(lines.calls).toEqual([expect.objectContaining({ outcome: 'TASK_NOT_FOUND', items: 1 })]);
  });

  it('tells of a call that no handler has taken up, and leaves every other to its handler', async () => {
    const seed = { binding: 'JSONRPC', mount: undefined, signal: new AbortController().signal } as const;
    const error = new A2aError('UNAUTHENTICATED', 'Authentication required');
    log.refused({ ...seed, operation: 'GetTask', startedAt: performance.now(), requestBytes: 7 }, error);
    log.refused({ ...seed, mount: 'made up', owner: 'alice@example.com' }, new Error('defect'));
    log.refused({ ...seed, binding: 'GRPC' }, error);
    expect(lines.calls).toEqual([
      {
        message: 'Call',
        binding: 'JSONRPC',
        operation: 'GetTask',
        agentId: 'echo',
        outcome: 'UNAUTHENTICATED',
        durationMs: expect.any(Number),
        requestBytes: 7,
        owner: undefined,
      },
      expect.objectContaining({ agentId: undefined, outcome: 'INTERNAL', owner: expect.stringMatching(/^[0-9a-f]{12}$/) }),
      expect.objectContaining({ binding: 'GRPC', agentId: undefined, outcome: 'UNAUTHENTICATED' }),
    ]);

    const taken = call();
    await expect(log.unary('GetTask', request, taken, Promise.reject(error))).rejects.toBe(error);
    log.refused(taken, error);
    expect(lines.calls).toHaveLength(4);
  });

  it('gives an owner a name in the log that is not the owner', async () => {
    const ownerOf = async (owner: string) => {
      await log.unary(
        'GetTask',
        request,
        call({ principal: { ...ANONYMOUS, owner } }),
        Promise.resolve({ response: request, activatedExtensions: [] }),
      );
      return lines.calls.at(-1)?.owner;
    };
    const [first, again, second] = [
      await ownerOf('alice@example.com'),
      await ownerOf('alice@example.com'),
      await ownerOf('bob@example.com'),
    ];
    expect(first).toBe(again);
    expect(first).not.toBe(second);
    expect(JSON.stringify(lines.calls)).not.toContain('alice');
  });
});

describe('taskIdIn', () => {
  it.each([
    ['a request for a task', request, 'task-1'],
    ['a message to a task', create(SendMessageRequestSchema, { message: { taskId: 'task-3' } }), 'task-3'],
    ['a message to no task', create(SendMessageRequestSchema, { message: { messageId: 'm' } }), undefined],
    ['a push config, not its own id', create(GetTaskPushNotificationConfigRequestSchema, { taskId: 'task-4', id: 'config' }), 'task-4'],
    ['a task', create(TaskSchema, { id: 'task-5' }), 'task-5'],
    ['an answer with a task', create(SendMessageResponseSchema, { payload: { case: 'task', value: { id: 'task-6' } } }), 'task-6'],
    ['a direct answer', create(SendMessageResponseSchema, { payload: { case: 'message', value: { messageId: 'm' } } }), undefined],
    ['an update', create(StreamResponseSchema, { payload: { case: 'statusUpdate', value: { taskId: 'task-7' } } }), 'task-7'],
    ['a page', create(ListTasksResponseSchema, {}), undefined],
  ])('finds the task in %s', (_, message, expected) => {
    expect(taskIdIn(message)).toBe(expected);
  });
});
