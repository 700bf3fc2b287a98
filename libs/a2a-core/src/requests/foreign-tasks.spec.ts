import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { ANONYMOUS } from '../call/principal.js';
import {
  CancelTaskRequestSchema,
  DeleteTaskPushNotificationConfigRequestSchema,
  GetTaskPushNotificationConfigRequestSchema,
  GetTaskRequestSchema,
  ListTaskPushNotificationConfigsRequestSchema,
  SubscribeToTaskRequestSchema,
  TaskPushNotificationConfigSchema,
} from '../gen/a2a_pb.js';
import { userMessage } from '../protocol/messages.js';
import { PushConfigRepository } from '../push/configs/push-config.repository.js';
import { TaskEventBus } from '../tasks/task-event-bus.js';
import { TaskRepository } from '../tasks/task-repository.js';
import { HOOK, PushEngine } from '../testing/push-engine.js';
import { incomingCall, sendRequest } from '../testing/test-engine.js';
import { type IncomingCall, type RequestHandler } from './request-handler.js';

type Ask = (handler: RequestHandler, taskId: string, call: IncomingCall) => Promise<unknown>;

/** Every operation that names a task. */
const ON_A_TASK: Readonly<Record<string, Ask>> = {
  GetTask: (handler, id, call) => handler.getTask(create(GetTaskRequestSchema, { id }), call),
  CancelTask: (handler, id, call) => handler.cancelTask(create(CancelTaskRequestSchema, { id }), call),
  SubscribeToTask: (handler, id, call) => handler.subscribeToTask(create(SubscribeToTaskRequestSchema, { id }), call),
  SendMessage: (handler, taskId, call) => handler.sendMessage(sendRequest(userMessage('go', { taskId, messageId: 'm' })), call),
  SendStreamingMessage: (handler, taskId, call) =>
    handler.sendStreamingMessage(sendRequest(userMessage('go', { taskId, messageId: 'm' })), call),
  CreateTaskPushNotificationConfig: (handler, taskId, call) =>
    handler.createTaskPushNotificationConfig(create(TaskPushNotificationConfigSchema, { taskId, id: 'c', url: HOOK }), call),
  GetTaskPushNotificationConfig: (handler, taskId, call) =>
    handler.getTaskPushNotificationConfig(create(GetTaskPushNotificationConfigRequestSchema, { taskId, id: 'c' }), call),
  ListTaskPushNotificationConfigs: (handler, taskId, call) =>
    handler.listTaskPushNotificationConfigs(create(ListTaskPushNotificationConfigsRequestSchema, { taskId }), call),
  DeleteTaskPushNotificationConfig: (handler, taskId, call) =>
    handler.deleteTaskPushNotificationConfig(create(DeleteTaskPushNotificationConfigRequestSchema, { taskId, id: 'c' }), call),
};

const READS = ['find', 'findMany', 'readEvents', 'list', 'findMemo', 'findReceived', 'commit', 'delete'] as const;
const CONFIG_READS = ['save', 'find', 'list', 'delete', 'countActive'] as const;

describe('A task of somebody else', () => {
  const stranger = (): IncomingCall => incomingCall({ principal: { ...ANONYMOUS, owner: 'a stranger' } });
  let push: PushEngine;
  let taskId: string;

  beforeEach(async () => {
    push = await PushEngine.start();
    const working = push.script('work', async function* (turn) {
      yield turn.working();
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
    });
    taskId = (await push.engine.sendForTask(working, { configuration: { returnImmediately: true } })).id;
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await push.engine.cancel(taskId);
    await push.close();
  });

  /** @returns what the stores were asked while a stranger asked for the task, and how that ended */
  const asked = async (ask: Ask, id: string): Promise<string[]> => {
    const [tasks, configs] = [push.engine.get(TaskRepository), push.engine.get(PushConfigRepository)];
    const trips: string[] = [];
    const note = (name: string) => (args: readonly unknown[]) => trips.push(`${name} ${JSON.stringify(args).replaceAll(id, '<id>')}`);
    for (const method of READS) noted(tasks, method, note(`tasks.${method}`));
    for (const method of CONFIG_READS) noted(configs, method, note(`configs.${method}`));
    const outcome = await ask(push.engine.handler, id, stranger()).then(
      () => 'answered',
      ({ reason }: { reason: string }) => reason,
    );
    jest.restoreAllMocks();
    return [...trips, outcome];
  };

  it.each(Object.entries(ON_A_TASK))('costs %s the trips to the stores that one costs which never was [B1]', async (_, ask) => {
    await push.create({ taskId, id: 'c', url: HOOK });
    const foreign = await asked(ask, taskId);
    expect(foreign.length).toBeGreaterThan(1);
    expect(foreign.at(-1)).toBe('TASK_NOT_FOUND');
    expect(foreign).toEqual(await asked(ask, randomUUID()));
  });

  it('gets no listener of those who would subscribe to it [B3]', async () => {
    const bus = push.engine.get(TaskEventBus);
    const listening = jest.spyOn(bus, 'subscribe');
    await expect(ON_A_TASK.SubscribeToTask?.(push.engine.handler, taskId, stranger())).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
    expect(listening).not.toHaveBeenCalled();
    const reader = (await push.engine.subscribe(taskId))[Symbol.asyncIterator]();
    await reader.next();
    void reader.next();
    expect(listening).toHaveBeenCalled();
    await reader.return?.();
  });
});

/** Lets a store do what it does, and tells of it. */
function noted<S extends object, K extends keyof S & string>(store: S, method: K, note: (args: readonly unknown[]) => void): void {
  const real = store[method] as (...args: unknown[]) => unknown;
  jest.spyOn(store as Record<string, (...args: unknown[]) => unknown>, method).mockImplementation((...args) => {
    note(args);
    return real.apply(store, args);
  });
}
