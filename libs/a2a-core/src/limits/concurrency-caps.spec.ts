import { once } from 'node:events';
import { create } from '@bufbuild/protobuf';
import { Agent } from '../agents/agent.decorator.js';
import { ANONYMOUS } from '../call/principal.js';
import { AgentExecutor } from '../execution/agent-executor.js';
import { type TurnContext } from '../execution/turn-context.js';
import { ListTasksRequestSchema } from '../gen/a2a_pb.js';
import { type AgentEvent } from '../protocol/events.js';
import { incomingCall, TestEngine } from '../testing/test-engine.js';

describe('what one caller may have under way', () => {
  @Agent({
    id: 'capped',
    name: 'Capped',
    description: 'Takes one at a time',
    version: '1.0.0',
    caps: { blockingSends: 1, streamsPerTask: 1, streamsPerCaller: 2 },
  })
  class CappedAgent extends AgentExecutor {
    async *execute(turn: TurnContext): AsyncIterable<AgentEvent> {
      yield turn.working();
      await once(turn.signal, 'abort');
    }
  }
  const user = (owner: string) => ({ ...ANONYMOUS, authenticated: true, owner });

  it('is capped, caller by caller, and given back when it ends [D9, D11]', async () => {
    const engine = await TestEngine.start([[CappedAgent]]);
    const ada = () => incomingCall({ principal: user('ada') });
    const begin = async () => (await engine.sendForTask('x', { configuration: { returnImmediately: true } }, ada())).id;
    const [first, second] = [await begin(), await begin()];
    const waiting = engine.send('x', {}, ada());
    await expect(engine.send('x', {}, ada())).rejects.toMatchObject({ reason: 'RATE_LIMITED', details: { retryAfterSeconds: 1 } });
    const stream = (await engine.subscribe(first, ada()))[Symbol.asyncIterator]();
    await stream.next();
    await expect(engine.subscribe(first, ada())).rejects.toMatchObject({ reason: 'RATE_LIMITED' });
    const left = new AbortController();
    await engine.subscribe(second, incomingCall({ principal: user('ada'), signal: left.signal }));
    await expect(engine.stream('x', {}, ada())).rejects.toMatchObject({ reason: 'RATE_LIMITED' });
    left.abort();
    await stream.return?.();
    await (await engine.subscribe(first, ada()))[Symbol.asyncIterator]().return?.();
    const eve = engine.send('x', {}, incomingCall({ principal: user('eve') }));
    await new Promise(setImmediate);
    const { response } = await engine.handler.listTasks(create(ListTasksRequestSchema), ada());
    for (const { id } of response.tasks) await engine.cancel(id, ada());
    await waiting;
    const mine = await engine.handler.listTasks(create(ListTasksRequestSchema), incomingCall({ principal: user('eve') }));
    for (const { id } of mine.response.tasks) {
      await engine.cancel(id, incomingCall({ principal: user('eve') }));
    }
    expect((await eve).payload.case).toBe('task');
    await engine.close();
  });
});
