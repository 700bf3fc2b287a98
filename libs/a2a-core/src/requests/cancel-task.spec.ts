import { once } from 'node:events';
import { Agent } from '../agents/agent.decorator.js';
import { AgentExecutor } from '../execution/agent-executor.js';
import { type TurnContext } from '../execution/turn-context.js';
import { type AgentEvent } from '../protocol/events.js';
import { textOf } from '../protocol/messages.js';
import { type ManualClock } from '../testing/manual-clock.js';
import { brief, script, startScripted, stateOf } from '../testing/scripted-agent.js';
import { collect, TestEngine } from '../testing/test-engine.js';

describe('CancelTask', () => {
  let engine: TestEngine;
  let clock: ManualClock;
  beforeAll(async () => ({ engine, clock } = await startScripted()));
  afterAll(() => engine.close());

  it('aborts the turn and ends as CANCELED, again and again [CANC-03, CANC-07]', async () => {
    let aborted = false;
    const name = script('until cancelled', async function* (turn) {
      yield turn.working();
      await clock.sleep(60_000, turn.signal).catch(() => (aborted = true));
    });
    const { id } = await engine.sendForTask(name, { configuration: { returnImmediately: true } });
    expect(stateOf(await engine.cancel(id))).toBe('CANCELED');
    expect(aborted).toBe(true);
    expect(stateOf(await engine.cancel(id))).toBe('CANCELED');
  });

  it('does not wait for an agent that ignores it, and drops what it says later', async () => {
    let goOn: () => void = () => undefined;
    const ignoring = new Promise<void>((resolve) => (goOn = resolve));
    let isDone: () => void = () => undefined;
    const done = new Promise<void>((resolve) => (isDone = resolve));
    const name = script('stubborn', async function* (turn) {
      try {
        yield turn.working();
        await ignoring;
        yield turn.artifact('too late');
        yield turn.completed();
      } finally {
        isDone();
      }
    });
    const { id } = await engine.sendForTask(name, { configuration: { returnImmediately: true } });
    expect(stateOf(await clock.advanceUntil(engine.cancel(id)))).toBe('CANCELED');
    goOn();
    await done;
    await clock.advance(0);
    const task = await engine.task(id);
    expect(stateOf(task)).toBe('CANCELED');
    expect(task.artifacts).toEqual([]);
  });

  it('refuses a task that has ended otherwise [CANC-02]', async () => {
    const { id } = await engine.sendForTask(script('object', async () => ({ total: 3 })));
    await expect(engine.cancel(id)).rejects.toMatchObject({ reason: 'TASK_NOT_CANCELABLE' });
  });

  it('cancels a task that waits for its client', async () => {
    const { id } = await engine.sendForTask(script('ask', async (turn) => turn.requireInput('Which colour?')));
    expect(stateOf(await engine.cancel(id))).toBe('CANCELED');
  });
});

describe('an agent with its own executor', () => {
  @Agent({ id: 'own', name: 'Own', description: 'Runs itself', version: '1.0.0' })
  class OwnAgent extends AgentExecutor {
    async *execute(turn: TurnContext): AsyncIterable<AgentEvent> {
      yield turn.working();
      await once(turn.signal, 'abort');
    }
    override async *cancel(turn: TurnContext): AsyncIterable<AgentEvent> {
      yield turn.canceled('bye');
    }
  }

  it('has the last word of a cancel, and a drain fails what does not end [CANC-07]', async () => {
    const engine = await TestEngine.start([[OwnAgent]], { drainTimeoutMs: 20 });
    const first = await engine.sendForTask('x', { configuration: { returnImmediately: true } });
    expect(textOf((await engine.cancel(first.id)).status?.message)).toBe('bye');
    const second = await engine.sendForTask('y', { configuration: { returnImmediately: true } });
    const seen = collect(await engine.subscribe(second.id));
    await engine.close();
    expect((await seen).map(brief).at(-1)).toBe('status FAILED');
    await expect(engine.send('z')).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  });
});
