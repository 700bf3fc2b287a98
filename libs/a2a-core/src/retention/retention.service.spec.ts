import { Agent } from '../agents/agent.decorator.js';
import { AgentSkill, type Skill } from '../agents/agent-skill.decorator.js';
import { type AuditRecord, AuditTrail } from '../audit/audit-trail.js';
import { Clock } from '../clock.js';
import { type TurnContext } from '../execution/turn-context.js';
import { TaskState } from '../gen/a2a_pb.js';
import { PushConfigRepository } from '../push/configs/push-config.repository.js';
import { StateStore } from '../tasks/state-store.js';
import { TaskRepository } from '../tasks/task-repository.js';
import { ManualClock } from '../testing/manual-clock.js';
import { incomingCall, TestEngine } from '../testing/test-engine.js';
import { type RetentionOptions } from './retention.options.js';
import { RetentionService } from './retention.service.js';
import { TaskData } from './task-data.js';

const DAY = 24 * 60 * 60 * 1_000;
/** Leaves the sweeping to the test. */
const NEVER = 1_000_000 * DAY;
const SCOPE = { agentId: 'kept', tenant: '', owner: 'anonymous' };

@AgentSkill({ id: 'any', name: 'Any', description: 'Ends or asks', tags: ['test'] })
class AnySkill implements Skill {
  async *execute(turn: TurnContext) {
    await turn.callerStore.set('last', turn.text);
    yield turn.text === 'ask' ? turn.requireInput('what?') : turn.completed(turn.text);
  }
}

@Agent({ id: 'kept', name: 'K', description: 'D', version: '1' })
class KeptAgent {}

class KeptTrail extends AuditTrail {
  readonly records: AuditRecord[] = [];

  record(record: AuditRecord): void {
    if (record.event === 'data.expire') this.records.push(record);
  }
}

describe('RetentionService', () => {
  let clock: ManualClock;
  let engine: TestEngine;
  let trail: KeptTrail;

  async function start(retention?: RetentionOptions): Promise<void> {
    clock = new ManualClock();
    trail = new KeptTrail();
    const overrides = [
      { provide: Clock, useValue: clock },
      { provide: AuditTrail, useValue: trail },
    ];
    engine = await TestEngine.start(
      [[KeptAgent, AnySkill]],
      { retention: retention && { sweepEveryMs: NEVER, ...retention } },
      { overrides },
    );
  }
  afterEach(() => engine.close());

  const run = async (text: string): Promise<string> => (await engine.sendForTask(text)).id;
  const has = async (taskId: string): Promise<boolean> => (await engine.get(TaskRepository).find(SCOPE, taskId)) !== undefined;
  const sweep = () => engine.get(RetentionService).sweep();
  const value = () => engine.get(StateStore).get(SCOPE, 'caller', 'last');

  it('removes a task when it has ended long enough ago, and not before [SECC-60]', async () => {
    await start({ tasksMs: 30 * DAY });
    const taskId = await run('go');
    await clock.advance(30 * DAY);
    await expect(sweep()).resolves.toEqual({ tasks: 0 });
    expect(await has(taskId)).toBe(true);
    await clock.advance(1);
    await expect(sweep()).resolves.toEqual({ tasks: 1, webhooks: 0 });
    expect(await has(taskId)).toBe(false);
  });

  it('never removes a task that has not ended, however old', async () => {
    await start({ tasksMs: 1 });
    const taskId = await run('ask');
    await clock.advance(1_000 * DAY);
    await sweep();
    expect((await engine.get(TaskRepository).find(SCOPE, taskId))?.head.state).toBe(TaskState.INPUT_REQUIRED);
  });

  it('removes what agents keep for callers and contexts when it was not written for long enough [SECC-60]', async () => {
    await start({ contextsMs: 90 * DAY });
    await run('one');
    await clock.advance(60 * DAY);
    await run('two');
    await clock.advance(60 * DAY);
    await expect(sweep()).resolves.toEqual({ values: 0 });
    expect(await value()).toBe('two');
    await clock.advance(31 * DAY);
    await expect(sweep()).resolves.toEqual({ values: 1 });
    expect(await value()).toBeUndefined();
  });

  it('leaves a task for which somebody still has something to do, and goes on behind it', async () => {
    await start({ tasksMs: DAY });
    const ids: string[] = [];
    for (let n = 0; n < 450; n++) ids.push(await run(`${n}`));
    const busy = new Set([ids[0], ids[199], ids[200], ids[449]]);
    engine.get(TaskData).add({
      name: 'reports',
      findBusy: async (tasks) => tasks.filter(({ taskId }) => busy.has(taskId)),
      deleteOf: async (_, taskIds) => taskIds.length,
    });
    await clock.advance(2 * DAY);
    await expect(sweep()).resolves.toEqual({ tasks: 446, webhooks: 0, reports: 446 });
    expect(await Promise.all([...busy].map((id) => has(id ?? '')))).toEqual([true, true, true, true]);
    busy.clear();
    await expect(sweep()).resolves.toMatchObject({ tasks: 4 });
  });

  it('waits for webhooks that have something to deliver, and takes them along when they are done', async () => {
    await start({ tasksMs: DAY });
    const taskId = await run('go');
    const webhooks = engine.get(PushConfigRepository);
    const draft = { taskId, configId: 'c', url: 'https://hooks.example', secrets: 'sealed', extensions: [], cursor: 0, isFinished: false };
    await webhooks.save(SCOPE, draft, { perTask: 5, perOwner: 5 });
    await clock.advance(2 * DAY);
    await expect(sweep()).resolves.toMatchObject({ tasks: 0 });
    await webhooks.save(SCOPE, { ...draft, configId: 'd', isFinished: true }, { perTask: 5, perOwner: 5 });
    await webhooks.delete(SCOPE, taskId, 'c');
    await expect(sweep()).resolves.toMatchObject({ tasks: 1, webhooks: 1 });
    await expect(webhooks.find(SCOPE, taskId, 'd')).resolves.toBeUndefined();
  });

  it('sweeps by itself, a minute after the start and then as often as it was told', async () => {
    await start({ tasksMs: DAY, sweepEveryMs: 3_600_000 });
    await run('go');
    await clock.advance(DAY);
    expect(trail.records).toEqual([]);
    await clock.advance(3_600_000);
    expect(trail.records).toEqual([expect.objectContaining({ outcome: 'ok', counts: { tasks: 1, webhooks: 0 } })]);
  });

  it('tries again at the next sweep when one fails, and says so', async () => {
    await start({ tasksMs: DAY, sweepEveryMs: 3_600_000 });
    const taskId = await run('go');
    let failure: Error | undefined = new Error('the store is away');
    engine.get(TaskData).add({
      name: 'flaky',
      deleteOf: async () => {
        if (failure) throw failure;
        return 0;
      },
    });
    await clock.advance(DAY + 2 * 3_600_000);
    expect(engine.logged).toContainEqual({ message: 'Could not remove what is too old', facts: { error: failure } });
    expect(await has(taskId)).toBe(true);
    failure = undefined;
    await clock.advance(3_600_000);
    expect(await has(taskId)).toBe(false);
  });

  it('removes nothing and starts nothing where no time is set', async () => {
    await start();
    const taskId = await run('go');
    await clock.advance(10_000 * DAY);
    await expect(sweep()).resolves.toEqual({});
    expect([await has(taskId), await value()]).toEqual([true, 'go']);
  });

  it('answers for a task that went as for one that never was [B1]', async () => {
    await start({ tasksMs: 1 });
    const taskId = await run('go');
    await clock.advance(DAY);
    await sweep();
    const call = incomingCall();
    const request = { $typeName: 'lf.a2a.v1.GetTaskRequest' as const, tenant: '', id: taskId };
    await expect(engine.handler.getTask(request, call)).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
  });
});
