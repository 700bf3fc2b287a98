import { type Task } from '../gen/a2a_pb.js';
import { textOf, userMessage } from '../protocol/messages.js';
import { type ManualClock } from '../testing/manual-clock.js';
import { brief, script, startScripted, stateOf } from '../testing/scripted-agent.js';
import { collect, type TestEngine } from '../testing/test-engine.js';
import { TaskResumer } from './task-resumer.js';

const ASK = script('ask', async function* (turn) {
  if (!turn.task) yield turn.requireInput('Which colour?');
  else yield* [turn.artifact(`painted ${turn.text}`), turn.completed()];
});

describe('the turns of a task', () => {
  let engine: TestEngine;
  let clock: ManualClock;
  beforeAll(async () => ({ engine, clock } = await startScripted()));
  afterAll(() => engine.close());

  it('goes on with a task that asked, with its history [TURN-10, EXEC-01]', async () => {
    const name = script('ask', async function* (turn) {
      if (!turn.task) yield turn.requireInput('Which colour?');
      else yield* [turn.artifact(`painted ${turn.text}`), turn.completed()];
    });
    const asked = await engine.sendForTask(name);
    expect(stateOf(asked)).toBe('INPUT_REQUIRED');
    const done = await engine.sendForTask(userMessage('blue', { taskId: asked.id }));
    expect(stateOf(done)).toBe('COMPLETED');
    expect(textOf(done.artifacts[0])).toBe('painted blue');
    expect(done.history.map(textOf)).toEqual(['ask', 'Which colour?', 'blue']);
    expect(done.contextId).toBe(asked.contextId);
  });

  it('runs the turns of one task one after the other [TURN-12]', async () => {
    let running = 0;
    let most = 0;
    const name = script('serial', async function* (turn) {
      running += 1;
      most = Math.max(most, running);
      yield turn.working();
      await clock.advance(0);
      running -= 1;
      yield turn.requireInput('more?');
    });
    const first = await engine.sendForTask(name, { configuration: { returnImmediately: true } });
    const rest = await Promise.all([1, 2, 3].map(() => engine.sendForTask(userMessage('next', { taskId: first.id }))));
    expect(most).toBe(1);
    expect(rest.map(stateOf)).toEqual(['INPUT_REQUIRED', 'INPUT_REQUIRED', 'INPUT_REQUIRED']);
    expect((await engine.task(first.id)).history.map(textOf).filter((text) => text === 'next')).toHaveLength(3);
  });

  it('stay serial when a message comes in the very moment a turn ends [TURN-12]', async () => {
    let running = 0;
    const overlaps: number[] = [];
    const name = script('edge', async function* (turn) {
      running += 1;
      if (running > 1) overlaps.push(running);
      await new Promise(setImmediate);
      yield turn.requireInput('more?');
      await Promise.resolve();
      running -= 1;
    });
    const { id } = await engine.sendForTask(name);
    for (let round = 0; round < 40; round++) {
      const ticks = round % 8;
      const sending = engine.sendForTask(userMessage('more', { taskId: id }), { configuration: { returnImmediately: true } });
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      await Promise.all([sending, engine.sendForTask(userMessage('more', { taskId: id }))]);
    }
    expect(overlaps).toEqual([]);
    expect((await engine.task(id)).history.map(textOf).filter((text) => text === 'more')).toHaveLength(80);
  });

  it('answers with the task as the turn settled it, though the next message has moved it on [EXEC-01]', async () => {
    let next: Promise<Task> | undefined;
    const name = script('hurried', async function* (turn) {
      const goOn = userMessage('slow', { taskId: turn.taskId });
      // Behind what this turn writes now, and before that is committed.
      process.nextTick(() => (next = engine.sendForTask(goOn, { configuration: { returnImmediately: true } })));
      yield turn.requireInput('more?');
    });
    script('slow', async function* (turn) {
      yield turn.working();
      await clock.sleep(60_000, turn.signal);
    });
    const { id } = await engine.sendForTask(ASK);
    const answered = await engine.sendForTask(userMessage(name, { taskId: id }));
    expect([stateOf(answered), answered.status?.message && textOf(answered.status.message)]).toEqual(['INPUT_REQUIRED', 'more?']);
    expect(next && stateOf(await next)).toBe('SUBMITTED');
    await engine.cancel(id);
  });

  it('keeps a step’s result over turns [memo]', async () => {
    let made = 0;
    const name = script('memo', async function* (turn) {
      const value = await turn.memo('step', () => ++made);
      if (turn.task) yield turn.completed(String(value));
      else yield turn.requireInput(String(value));
    });
    const asked = await engine.sendForTask(name);
    const done = await engine.sendForTask(userMessage('again', { taskId: asked.id }));
    expect(textOf(done.status?.message)).toBe('1');
  });
});

describe('resuming without a message', () => {
  let engine: TestEngine;
  let clock: ManualClock;
  beforeAll(async () => ({ engine, clock } = await startScripted()));
  afterAll(() => engine.close());

  it('goes on with a task that waits for an authorization [AUTHT-04]', async () => {
    const name = script('approval', async function* (turn) {
      if (turn.resumed) yield* [turn.working(), turn.artifact(String(turn.resumeMetadata['by'])), turn.completed()];
      else yield turn.requireAuth('Approve me');
    });
    const waiting = await engine.sendForTask(name);
    expect(stateOf(waiting)).toBe('AUTH_REQUIRED');
    const seen = collect(await engine.subscribe(waiting.id));
    const scope = { agentId: 'scripted', tenant: '', owner: 'anonymous' };
    await engine.get(TaskResumer).resume({ scope, taskId: waiting.id }, { metadata: { by: 'boss' } });
    expect((await seen).map(brief)).toEqual(['task AUTH_REQUIRED', 'status WORKING', 'artifact boss.', 'status COMPLETED']);
  });

  it('finishes a detached task later [EXEC-01]', async () => {
    const name = script('detached', async function* (turn) {
      if (turn.resumed) {
        yield turn.completed('finished later');
      } else {
        yield turn.working();
        turn.detach();
        clock.after(50, () => void engine.get(TaskResumer).resume(turn.ref));
      }
    });
    const task = await clock.advanceUntil(engine.sendForTask(name));
    expect(stateOf(task)).toBe('COMPLETED');
    expect(textOf(task.status?.message)).toBe('finished later');
  });
});
