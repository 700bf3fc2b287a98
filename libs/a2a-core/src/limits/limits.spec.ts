import { once } from 'node:events';
import { create } from '@bufbuild/protobuf';
import { Agent, type AgentOptions } from '../agents/agent.decorator.js';
import { ANONYMOUS } from '../call/principal.js';
import { RateLimits } from './rate-limits.js';
import { AgentExecutor } from '../execution/agent-executor.js';
import { type TurnContext } from '../execution/turn-context.js';
import { CancelTaskRequestSchema, GetTaskRequestSchema, type Task, TaskState } from '../gen/a2a_pb.js';
import { A2aError } from '../protocol/errors.js';
import { type AgentEvent } from '../protocol/events.js';
import { artifact, textOf, textPart, userMessage } from '../protocol/messages.js';
import { incomingCall, TestEngine } from '../testing/test-engine.js';

type Script = (turn: TurnContext) => AsyncIterable<AgentEvent>;

function agentOf(script: Script, options: Partial<AgentOptions> = {}) {
  @Agent({ id: 'limited', name: 'Limited', description: 'Does what the spec says', version: '1.0.0', ...options })
  class LimitedAgent extends AgentExecutor {
    execute(turn: TurnContext): AsyncIterable<AgentEvent> {
      return script(turn);
    }
  }
  return [LimitedAgent];
}

/** With agents that hang: a host that stops does not wait for them. */
const start = (agents: Parameters<typeof TestEngine.start>[0]) => TestEngine.start(agents, { drainTimeoutMs: 0 });
const caller = (owner: string) => incomingCall({ principal: { ...ANONYMOUS, authenticated: true, owner } });
const AT_ONCE = { configuration: { returnImmediately: true } };

async function* hang(turn: TurnContext): AsyncIterable<AgentEvent> {
  yield turn.working();
  await once(turn.signal, 'abort');
}

async function cancel(engine: TestEngine, { id }: Task, call = incomingCall()): Promise<void> {
  await engine.handler.cancelTask(create(CancelTaskRequestSchema, { id }), call);
}

describe('the parts of a message', () => {
  const reply: Script = async function* (turn) {
    yield turn.reply('ok');
  };

  it('have texts and metadata of a limited size, each wrong one named', async () => {
    const engine = await TestEngine.start([agentOf(reply)]);
    const tooLong = { ...textPart('é'.repeat(131_073)), metadata: { note: 'x'.repeat(65_536) } };
    await expect(engine.send(userMessage([textPart('ok'), tooLong]))).rejects.toMatchObject({
      reason: 'INVALID_PARAMS',
      details: {
        fieldViolations: [
          { field: 'message.parts[1].text', description: 'at most 262144 bytes' },
          { field: 'message.parts[1].metadata', description: 'at most 65536 bytes' },
        ],
      },
    });
    expect((await engine.send('x'.repeat(262_144))).payload.case).toBe('message');
    await engine.close();
  });

  it('may be what the host, and before it the agent, allows', async () => {
    const engine = await TestEngine.start([agentOf(reply, { id: 'large', limits: { textBytes: 20 } }), agentOf(reply, { id: 'usual' })], {
      defaultAgent: 'usual',
      limits: { textBytes: 10, parts: 1 },
    });
    const large = incomingCall({ mount: 'large' });
    await expect(engine.send('x'.repeat(11))).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
    expect((await engine.send('x'.repeat(11), {}, large)).payload.case).toBe('message');
    await expect(engine.send('x'.repeat(21), {}, large)).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
    await expect(engine.send(userMessage([textPart('x'), textPart('y')]), {}, large)).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
    await engine.close();
  });
});

describe('turns under way', () => {
  it('are capped, caller by caller, and given back when they settle [D20]', async () => {
    const engine = await start([agentOf(hang, { caps: { executionsPerCaller: 2 } })]);
    const begin = (owner: string) => engine.sendForTask('x', AT_ONCE, caller(owner));
    const [first] = [await begin('ada'), await begin('ada')];
    await expect(begin('ada')).rejects.toMatchObject({ reason: 'RATE_LIMITED', details: { retryAfterSeconds: 1 } });
    expect((await begin('eve')).id).toBeTruthy();
    await cancel(engine, first as Task, caller('ada'));
    expect((await begin('ada')).id).toBeTruthy();
    await engine.close();
  });

  it('are capped for the agent as a whole [D20]', async () => {
    const engine = await start([agentOf(hang, { caps: { executions: 2 } })]);
    await engine.sendForTask('x', AT_ONCE, caller('ada'));
    await engine.sendForTask('x', AT_ONCE, caller('eve'));
    await expect(engine.send('x', AT_ONCE, caller('joe'))).rejects.toMatchObject({ reason: 'RATE_LIMITED' });
    await engine.close();
  });

  it('are counted by address without credentials, a /64 as one [D19]', async () => {
    const engine = await start([agentOf(hang, { caps: { executionsPerCaller: 1 } })]);
    const from = (remoteAddress: string, owner: string) => incomingCall({ remoteAddress, principal: { ...ANONYMOUS, owner } });
    await engine.sendForTask('x', AT_ONCE, from('2001:db8:1:2::7', 'session-1'));
    await expect(engine.send('x', AT_ONCE, from('2001:db8:1:2::8', 'session-2'))).rejects.toMatchObject({ reason: 'RATE_LIMITED' });
    expect((await engine.sendForTask('x', AT_ONCE, from('2001:db8:1:3::7', 'session-3'))).id).toBeTruthy();
    await engine.close();
  });

  it('take back a place when the message is refused', async () => {
    const engine = await start([agentOf(hang, { caps: { executionsPerCaller: 1 } })]);
    const toNobody = userMessage('x');
    toNobody.taskId = 'nobody';
    for (let attempt = 0; attempt < 3; attempt++) await expect(engine.send(toNobody)).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
    expect((await engine.sendForTask('x', AT_ONCE)).id).toBeTruthy();
    await engine.close();
  });

  it('of one task wait in a queue of limited depth [D20]', async () => {
    const engine = await start([agentOf(hang, { caps: { waitingMessages: 2 } })]);
    const task = await engine.sendForTask('x', AT_ONCE);
    const more = () => engine.send(Object.assign(userMessage('more'), { taskId: task.id }), AT_ONCE);
    await more();
    await more();
    await expect(more()).rejects.toMatchObject({ reason: 'RATE_LIMITED', message: 'Too many messages wait for this task' });
    const { response } = await engine.handler.getTask(create(GetTaskRequestSchema, { id: task.id }), incomingCall());
    expect(response.history).toHaveLength(3);
    await engine.close();
  });
});

describe('a task that grows without end', () => {
  const LIMITS = { historyMessages: 5, artifacts: 3, artifactChunks: 8, taskBytes: 100_000 };

  /** Yields `count` events without a pause. */
  const many = (count: number, make: (turn: TurnContext, index: number) => AgentEvent): Script =>
    async function* (turn) {
      for (let index = 0; index < count; index++) yield make(turn, index);
    };
  const chunk = (turn: TurnContext, artifactId: string, text: string, append = false): AgentEvent =>
    turn.artifactChunk(artifact(text, { artifactId }), { append });

  const GROWTH: [does: string, script: Script, text: string][] = [
    ['says too much', many(50, (turn, index) => turn.working(`still at it ${index}`)), 'it may have 5 messages'],
    ['makes too many artifacts', many(50, (turn, index) => chunk(turn, `a${index}`, 'x')), 'it may have 3 artifacts'],
    ['makes too many chunks', many(50, (turn, index) => chunk(turn, 'a', 'x', index > 0)), 'it may have 8 chunks of artifacts'],
    ['replaces one artifact over and over', many(8, (turn) => chunk(turn, 'a', 'x'.repeat(30_000))), 'it may have 100000 bytes'],
    ['ends with too much', many(1, (turn) => turn.completed('x'.repeat(200_000))), 'it may have 100000 bytes'],
  ];

  it.each(GROWTH)('ends as FAILED with a fixed text when its agent %s [D12]', async (_does, script, text) => {
    const engine = await TestEngine.start([agentOf(script, { limits: LIMITS })]);
    const task = await engine.sendForTask('x');
    expect(task.status?.state).toBe(TaskState.FAILED);
    expect(task.status?.message && textOf(task.status.message)).toMatch(
      new RegExp(`^The task is full: ${text} \\(error [0-9a-f-]{36}\\)$`),
    );
    expect(task.history.length).toBeLessThanOrEqual(6);
    expect(task.artifacts.length).toBeLessThanOrEqual(3);
    await engine.close();
  });

  it('takes no further message from its client either, and goes on waiting [D12]', async () => {
    const ask: Script = async function* (turn) {
      yield turn.requireInput('and?');
    };
    const engine = await TestEngine.start([agentOf(ask, { limits: { historyMessages: 4 } })]);
    const task = await engine.sendForTask('x');
    const more = () => engine.sendForTask(Object.assign(userMessage('more'), { taskId: task.id }));
    await more();
    await expect(more()).rejects.toMatchObject({ reason: 'UNSUPPORTED_OPERATION', message: 'The task is full: it may have 4 messages' });
    const { response } = await engine.handler.getTask(create(GetTaskRequestSchema, { id: task.id }), incomingCall());
    expect(response.status?.state).toBe(TaskState.INPUT_REQUIRED);
    await engine.close();
  });

  it('has room for an answer that streams five thousand words', async () => {
    const stream = many(5_000, (turn, index) => chunk(turn, 'a', 'word ', index > 0));
    const engine = await TestEngine.start([agentOf(stream)]);
    const task = await engine.sendForTask('x');
    expect([task.status?.state, task.artifacts[0]?.parts.length]).toEqual([TaskState.COMPLETED, 5_000]);
    await engine.close();
  });
});

describe('rates', () => {
  class CountedRates extends RateLimits {
    readonly asked: unknown[] = [];
    refusing = false;

    async beforeCredentials(): Promise<void> {}
    async beforeBody(): Promise<void> {}
    async beforeWork({ agent, tenant, principal, operation, remoteAddress }: Parameters<RateLimits['beforeWork']>[0]): Promise<void> {
      this.asked.push({ agent: agent.id, tenant, owner: principal.owner, operation, remoteAddress });
      if (this.refusing) throw new A2aError('RATE_LIMITED', 'Rate limit exceeded', { retryAfterSeconds: 3 });
    }
  }

  it('are asked once a call with all that identifies it, before its parameters are looked at', async () => {
    const rates = new CountedRates();
    const engine = await TestEngine.start(
      [agentOf(hang)],
      { drainTimeoutMs: 0 },
      { overrides: [{ provide: RateLimits, useValue: rates }] },
    );
    const call = incomingCall({ remoteAddress: '203.0.113.7', pathTenant: 'acme', principal: { ...ANONYMOUS, owner: 'ada' } });
    await engine.sendForTask('x', AT_ONCE, call);
    expect(rates.asked).toEqual([
      { agent: 'limited', tenant: 'acme', owner: 'ada', operation: 'SendMessage', remoteAddress: '203.0.113.7' },
    ]);
    rates.refusing = true;
    const wrong = incomingCall({ headers: { 'a2a-version': '7.0' } });
    await expect(engine.handler.getTask(create(GetTaskRequestSchema), wrong)).rejects.toMatchObject({ reason: 'RATE_LIMITED' });
    await engine.close();
  });
});
