import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Deferred } from '../../execution/deferred.js';
import { type TurnContext } from '../../execution/turn-context.js';
import { userMessage } from '../../protocol/messages.js';
import { InMemoryStateStore } from '../../tasks/in-memory-state.store.js';
import { InMemoryTaskRepository } from '../../tasks/in-memory-task.repository.js';
import { StateStore } from '../../tasks/state-store.js';
import { TaskRepository } from '../../tasks/task-repository.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { HOOK, PushEngine, SECRET } from '../../testing/push-engine.js';
import { ScriptedReceivers } from '../../testing/scripted-receivers.js';
import { InMemoryPushConfigRepository } from '../configs/in-memory-push-config.repository.js';
import { PushConfigRepository } from '../configs/push-config.repository.js';
import { PushOperations } from '../push-operations.js';

/** One store for several processes, or for one after the other. */
function sharedStore(clock: ManualClock, Configs = InMemoryPushConfigRepository): DynamicModule {
  const tasks = new InMemoryTaskRepository({ clock });
  const providers = [
    { provide: TaskRepository, useValue: tasks },
    { provide: StateStore, useValue: new InMemoryStateStore() },
    { provide: PushConfigRepository, useValue: new Configs(tasks, clock) },
  ];
  @Global()
  @Module({})
  class SharedStore {}
  return { module: SharedStore, providers, exports: [TaskRepository, StateStore, PushConfigRepository] };
}

const ALL = ['task SUBMITTED', 'status WORKING', 'artifact result', 'status COMPLETED'];

const three = (turn: TurnContext) =>
  (async function* () {
    yield turn.working();
    yield turn.artifact('result');
    yield turn.completed();
  })();

describe('deliveries and processes', () => {
  const clock = new ManualClock();
  const engines: PushEngine[] = [];
  const start = async (store: DynamicModule, receivers: ScriptedReceivers, push = {}) => {
    const engine = await PushEngine.start({ store, receivers, clock, push: { lookMs: 10, ...push } });
    engines.push(engine);
    return engine;
  };
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.close();
  });

  it('go on in the next process where the last one was, with the one that was on its way', async () => {
    const store = sharedStore(clock);
    const receivers = new ScriptedReceivers();
    receivers.answer = (_post, index) => (index === 1 ? new Deferred<number>().promise : 200);
    const first = await start(store, receivers);
    await first.sendWithHook(first.script('three', three));
    await receivers.until(2);
    await first.close();
    engines.pop();
    await start(store, receivers);
    const posts = await receivers.until(5);
    expect(posts.map(({ brief }) => brief)).toEqual([ALL[0], ALL[1], ...ALL.slice(1)]);
    expect(posts[1]?.headers['webhook-id']).toBe(posts[2]?.headers['webhook-id']);
    expect(posts[1]?.body).toBe(posts[2]?.body);
  });

  it('begin for what was committed by a process that died before it could tell anybody', async () => {
    const store = sharedStore(clock);
    const silent = new ScriptedReceivers();
    silent.answer = () => new Deferred<number>().promise;
    const first = await start(store, silent);
    const asks = first.script('asks', (turn) => (turn.task ? turn.completed() : turn.requireInput('what?')));
    const { id } = await first.engine.sendForTask(asks);
    await first.create({ taskId: id, url: HOOK });
    await first.close();
    engines.pop();
    const withoutPush = await PushEngine.start({ store, receivers: silent, clock, push: { lookMs: 1_000_000 } });
    await withoutPush.engine.sendForTask(userMessage('this', { taskId: id }));
    await withoutPush.close();
    const receivers = new ScriptedReceivers();
    await start(store, receivers);
    await receivers.until(2);
    expect(receivers.posts.map(({ brief }) => brief)).toEqual(['status SUBMITTED', 'status COMPLETED']);
  });

  it('reach a webhook whose process ended between the task and the webhook, when the message comes again', async () => {
    const saving = new Deferred<void>();
    let isLost = true;
    class LostOnce extends InMemoryPushConfigRepository {
      override save(...facts: Parameters<InMemoryPushConfigRepository['save']>) {
        if (!isLost) return super.save(...facts);
        isLost = false;
        saving.resolve();
        return new Promise<never>(() => undefined);
      }
    }
    const store = sharedStore(clock, LostOnce);
    const receivers = new ScriptedReceivers();
    const first = await start(store, receivers);
    const message = userMessage(first.script('three', three));
    void first.sendWithHook(message);
    await saving.promise;
    await first.close();
    engines.pop();
    const second = await start(store, receivers);
    const [{ id }, again] = [await second.sendWithHook(message), await second.sendWithHook(message)];
    await receivers.until(2);
    await clock.advance(5_000);
    expect(again.id).toBe(id);
    expect((await second.list(id)).configs).toHaveLength(1);
    expect(receivers.posts.map(({ brief }) => brief)).toEqual(['task SUBMITTED', 'status FAILED']);
  });

  it('reach a webhook that was registered at another process, each event once', async () => {
    const store = sharedStore(clock);
    const receivers = new ScriptedReceivers();
    const working = await start(store, receivers);
    const goOn = new Deferred<void>();
    const waits = working.script('waits', async function* (turn: TurnContext) {
      yield turn.working('one');
      await goOn.promise;
      yield turn.working('two');
      yield turn.completed();
    });
    const { id } = await working.engine.sendForTask(waits, { configuration: { returnImmediately: true } });
    await clock.advance(0);
    const other = await start(store, receivers);
    await other.create({ taskId: id, url: HOOK });
    await clock.advance(5_000);
    goOn.resolve();
    await receivers.until(2);
    await clock.advance(5_000);
    expect(receivers.posts.map(({ brief }) => brief)).toEqual(['status WORKING', 'status COMPLETED']);
    expect(receivers.posts[0]?.body).toContain('two');
  });

  it('stop for a webhook that was deleted at another process', async () => {
    const store = sharedStore(clock);
    const receivers = new ScriptedReceivers();
    const slow = new Deferred<number>();
    receivers.answer = (_post, index) => (index === 0 ? slow.promise : 200);
    const working = await start(store, receivers);
    const { id } = await working.sendWithHook(working.script('three', three), { id: 'c', url: HOOK });
    await receivers.until(1);
    const other = await start(store, new ScriptedReceivers());
    await other.delete(id, 'c');
    slow.resolve(200);
    await clock.advance(60_000);
    expect(receivers.posts).toHaveLength(1);
  });

  it('need the key that sealed the credentials: without it the webhook stops, and goes on when the key is back', async () => {
    const store = sharedStore(clock);
    const receivers = new ScriptedReceivers();
    receivers.answer = () => 503;
    const first = await start(store, receivers);
    const { id } = await first.sendWithHook(first.script('three', three), { id: 'c', url: HOOK, token: 'mine' });
    await receivers.until(1);
    await first.close();
    engines.pop();
    receivers.answer = () => 200;
    const changed = await start(store, receivers, { secret: 'another secret, and nobody kept the old one' });
    await clock.advance(60_000);
    const ref = { scope: { agentId: 'scripted', tenant: '', owner: 'anonymous' }, taskId: id, configId: 'c' };
    const troubled = async () => (await changed.engine.get(PushOperations).troubled(9)).items;
    while ((await troubled())[0]?.config.status === 'active') await new Promise(setImmediate);
    expect(await troubled()).toMatchObject([{ ref, config: { reason: 'sealed' } }]);
    await changed.close();
    engines.pop();
    const restored = await start(store, receivers, { secret: 'another secret, and the old one is known', previousSecrets: [SECRET] });
    await restored.engine.get(PushOperations).replay(ref, 'ada');
    const posts = await receivers.until(5);
    expect(posts.slice(1).map(({ brief }) => brief)).toEqual(ALL);
    expect(posts[4]?.headers['x-a2a-notification-token']).toBe('mine');
  });
});
