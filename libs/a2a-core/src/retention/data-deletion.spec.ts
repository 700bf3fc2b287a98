import { create } from '@bufbuild/protobuf';
import { Agent } from '../agents/agent.decorator.js';
import { AgentSkill, type Skill } from '../agents/agent-skill.decorator.js';
import { type AuditRecord, AuditTrail } from '../audit/audit-trail.js';
import { ownerDigest } from '../audit/owner-digest.js';
import { ANONYMOUS } from '../call/principal.js';
import { Deferred } from '../execution/deferred.js';
import { type TurnContext } from '../execution/turn-context.js';
import { ListTasksRequestSchema, SubscribeToTaskRequestSchema, type Task, TaskState } from '../gen/a2a_pb.js';
import { streamResponse } from '../protocol/events.js';
import { userMessage } from '../protocol/messages.js';
import { PushConfigRepository } from '../push/configs/push-config.repository.js';
import { TaskEvent } from '../tasks/task-event.js';
import { StateStore } from '../tasks/state-store.js';
import { TaskRepository } from '../tasks/task-repository.js';
import { type TaskScope } from '../tasks/task-scope.js';
import { collect, incomingCall, TestEngine } from '../testing/test-engine.js';
import { DataDeletion } from './data-deletion.js';
import { TaskData } from './task-data.js';

/** What the skill of a spec waits for when it works, and is told by when it goes on. */
const stubborn = { goesOn: new Deferred<void>(), isDone: new Deferred<void>() };

@AgentSkill({ id: 'any', name: 'Any', description: 'Does as it is told', tags: ['test'] })
class AnySkill implements Skill {
  async *execute(turn: TurnContext) {
    await turn.contextStore.set('last', turn.text);
    await turn.callerStore.set(turn.text, 1);
    if (turn.text === 'reply') {
      yield turn.reply('hi');
    } else if (turn.text === 'ask') {
      yield turn.requireInput('what?');
    } else if (turn.text === 'work') {
      yield turn.working('on it');
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
    } else if (turn.text === 'stubborn') {
      yield turn.working('on it');
      await stubborn.goesOn.promise;
      try {
        yield turn.artifact('too late');
      } finally {
        stubborn.isDone.resolve();
      }
    } else {
      yield turn.completed('done');
    }
  }
}

@Agent({ id: 'one', name: 'One', description: 'D', version: '1' })
class OneAgent {}
@Agent({ id: 'two', name: 'Two', description: 'D', version: '1' })
class TwoAgent {}

class KeptTrail extends AuditTrail {
  readonly records: AuditRecord[] = [];

  record(record: AuditRecord): void {
    if (record.event === 'data.delete') this.records.push(record);
  }
}

const alice: TaskScope = { agentId: 'one', tenant: '', owner: 'alice' };

describe('DataDeletion [SECC-60]', () => {
  let engine: TestEngine;
  let trail: KeptTrail;
  let deletion: DataDeletion;
  beforeEach(async () => {
    Object.assign(stubborn, { goesOn: new Deferred<void>(), isDone: new Deferred<void>() });
    trail = new KeptTrail();
    const agents = [
      [OneAgent, AnySkill],
      [TwoAgent, AnySkill],
    ];
    engine = await TestEngine.start(
      agents,
      { defaultAgent: 'one', cancelTimeoutMs: 20, drainTimeoutMs: 20 },
      { overrides: [{ provide: AuditTrail, useValue: trail }] },
    );
    deletion = engine.get(DataDeletion);
  });
  afterEach(() => engine.close());

  const from = ({ owner, agentId, tenant }: TaskScope) =>
    incomingCall({ principal: { ...ANONYMOUS, owner, authenticated: true }, mount: agentId, pathTenant: tenant || undefined });
  const send = (text: string, scope = alice, more = {}): Promise<Task> => engine.sendForTask(userMessage(text, more), {}, from(scope));
  const begin = (text: string, scope = alice): Promise<Task> =>
    engine.sendForTask(userMessage(text), { configuration: { returnImmediately: true } }, from(scope));
  const countOf = async (scope: TaskScope): Promise<number> =>
    (await engine.handler.listTasks(create(ListTasksRequestSchema, {}), from(scope))).response.totalSize;
  const subscribe = async (id: string, scope = alice) =>
    (await engine.handler.subscribeToTask(create(SubscribeToTaskRequestSchema, { id }), from(scope))).response;

  describe('of a task', () => {
    it('leaves nothing of it: log, receipts, webhooks', async () => {
      const task = await send('go', alice, { messageId: 'm' });
      await send('other');
      const draft = { taskId: task.id, configId: 'c', url: 'https://h', secrets: '', extensions: [], cursor: 0, isFinished: false };
      await engine.get(PushConfigRepository).save(alice, draft, { perTask: 5, perOwner: 5 });
      await expect(deletion.deleteTask(alice, task.id, 'op')).resolves.toEqual({ tasks: 1, receipts: 1, webhooks: 1 });
      const repository = engine.get(TaskRepository);
      await expect(repository.find(alice, task.id)).resolves.toBeUndefined();
      await expect(repository.findReceived(alice, 'm')).resolves.toBeUndefined();
      await expect(engine.get(PushConfigRepository).find(alice, task.id, 'c')).resolves.toBeUndefined();
      expect(await countOf(alice)).toBe(1);
    });

    it('is no error for what is not there, or not there any more, or not in this scope', async () => {
      const task = await send('go');
      await expect(deletion.deleteTask({ ...alice, owner: 'eve' }, task.id, 'op')).resolves.toEqual({ tasks: 0 });
      await deletion.deleteTask(alice, task.id, 'op');
      await expect(deletion.deleteTask(alice, task.id, 'op')).resolves.toEqual({ tasks: 0 });
    });

    it('cancels what runs, and lets its readers see that before they are let go', async () => {
      const task = await begin('work');
      const reading = collect(await subscribe(task.id));
      const waiting = engine.send(userMessage('more', { taskId: task.id }), {}, from(alice));
      await new Promise(setImmediate);
      await deletion.deleteTask(alice, task.id, 'op');
      const last = (await reading).at(-1)?.payload;
      expect(last?.case === 'statusUpdate' && last.value.status?.state).toBe(TaskState.CANCELED);
      expect(await waiting).toMatchObject({ payload: { value: { status: { state: TaskState.CANCELED } } } });
      expect(await countOf(alice)).toBe(0);
    });

    it('lets readers of a task go that waits for its client', async () => {
      const task = await send('ask');
      const reading = collect(await subscribe(task.id));
      await deletion.deleteTask(alice, task.id, 'op');
      expect((await reading).length).toBeGreaterThanOrEqual(1);
    });

    it('is not undone by an agent that does not stop', async () => {
      const task = await begin('stubborn');
      await deletion.deleteTask(alice, task.id, 'op');
      stubborn.goesOn.resolve();
      await stubborn.isDone.promise;
      await new Promise(setImmediate);
      expect(await countOf(alice)).toBe(0);
      await expect(engine.get(TaskRepository).readEvents(alice, task.id, 0, 10)).resolves.toEqual([]);
    });

    it('ends and deletes tasks of an agent that is not hosted any more', async () => {
      const gone = { ...alice, agentId: 'gone' };
      const event = new TaskEvent(1, streamResponse((await send('ask')) as Task));
      const change = { taskId: 't', contextId: 'c', events: [event], state: TaskState.WORKING, statusAtMs: 1 };
      await engine.get(TaskRepository).commit(gone, change, 0);
      await expect(deletion.deleteTask(gone, 't', 'op')).resolves.toMatchObject({ tasks: 1 });
    });
  });

  describe('of a context', () => {
    it('takes its tasks and what agents keep for it, and nothing of another', async () => {
      const first = await send('go', alice, { contextId: 'c1' });
      await begin('work');
      await send('go', alice, { contextId: 'c1', referenceTaskIds: [first.id] });
      await send('go', alice, { contextId: 'c2' });
      await send('go', { ...alice, owner: 'bob' }, { contextId: 'c1' });
      await expect(deletion.deleteContext(alice, 'c1', 'op')).resolves.toEqual({ tasks: 2, receipts: 2, values: 1, webhooks: 0 });
      const states = engine.get(StateStore);
      await expect(states.get(alice, 'context:c1', 'last')).resolves.toBeUndefined();
      await expect(states.get(alice, 'context:c2', 'last')).resolves.toBe('go');
      expect([await countOf(alice), await countOf({ ...alice, owner: 'bob' })]).toEqual([2, 1]);
    });
  });

  describe('of an owner', () => {
    const everywhere: readonly TaskScope[] = [alice, { ...alice, agentId: 'two' }, { ...alice, tenant: 'acme' }];

    it('takes everything at every agent and in every tenant, and nothing of anybody else', async () => {
      const bob = { ...alice, owner: 'bob' };
      for (const scope of [...everywhere, bob]) await send('go', scope);
      for (let n = 0; n < 250; n++) await send('go');
      await engine.send(userMessage('reply', { messageId: 'r' }), {}, from({ ...alice, agentId: 'two' }));
      await begin('work');
      const counts = await deletion.deleteOwner({ owner: 'alice' }, 'op');
      expect(counts).toMatchObject({ tasks: 254, receipts: 255 });
      expect(await Promise.all(everywhere.map(countOf))).toEqual([0, 0, 0]);
      await expect(engine.get(TaskRepository).findReceived({ ...alice, agentId: 'two' }, 'r')).resolves.toBeUndefined();
      await expect(engine.get(StateStore).findScopes('alice')).resolves.toEqual([]);
      await expect(engine.get(TaskRepository).findScopes('alice')).resolves.toEqual([]);
      expect(await countOf(bob)).toBe(1);
      await expect(deletion.deleteOwner({ owner: 'alice' }, 'op')).resolves.toEqual({ tasks: 0, receipts: 0, values: 0 });
    });

    it('keeps to the agent and the tenant that are named', async () => {
      for (const scope of everywhere) await send('go', scope);
      await deletion.deleteOwner({ owner: 'alice', agentId: 'one', tenant: '' }, 'op');
      expect(await Promise.all(everywhere.map(countOf))).toEqual([0, 1, 1]);
      await deletion.deleteOwner({ owner: 'alice', agentId: 'two' }, 'op');
      expect(await Promise.all(everywhere.map(countOf))).toEqual([0, 0, 1]);
    });

    it('leaves no mark on what comes after: the same message is new again', async () => {
      const before = await send('go', alice, { messageId: 'm' });
      await deletion.deleteOwner({ owner: 'alice' }, 'op');
      const after = await send('go', alice, { messageId: 'm' });
      expect(after.id).not.toBe(before.id);
    });
  });

  describe('is on the audit trail [SECC-50]', () => {
    it('with who asked, whose data, and how much of it', async () => {
      const task = await send('go');
      await deletion.deleteTask(alice, task.id, 'ticket 4711');
      await deletion.deleteOwner({ owner: 'alice' }, 'ticket 4712');
      const owner = ownerDigest('alice');
      expect(trail.records).toEqual([
        expect.objectContaining({
          outcome: 'ok',
          operator: 'ticket 4711',
          agentId: 'one',
          owner,
          taskId: task.id,
          counts: { tasks: 1, receipts: 1, webhooks: 0 },
        }),
        expect.objectContaining({
          outcome: 'ok',
          operator: 'ticket 4712',
          agentId: 'one',
          owner,
          counts: { tasks: 0, receipts: 0, values: 2 },
        }),
      ]);
      expect(JSON.stringify(trail.records)).not.toContain('alice');
    });

    it('when it fails too, and it can be done again then', async () => {
      const task = await send('go');
      let failure: Error | undefined = new Error('away');
      engine.get(TaskData).add({
        name: 'flaky',
        deleteOf: async () => {
          if (failure) throw failure;
          return 1;
        },
      });
      await expect(deletion.deleteTask(alice, task.id, 'op')).rejects.toBe(failure);
      failure = undefined;
      await expect(deletion.deleteTask(alice, task.id, 'op')).resolves.toMatchObject({ tasks: 1, flaky: 1 });
      expect(trail.records.map(({ outcome }) => outcome)).toEqual(['failed', 'ok']);
    });
  });
});
