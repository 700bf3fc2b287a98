import { create } from '@bufbuild/protobuf';
import { Module } from '@nestjs/common';
import {
  ANONYMOUS,
  InMemoryTaskRepository,
  RequestHandler,
  type StreamItem,
  SubscribeToTaskRequestSchema,
  type TaskEvent,
  type TaskScope,
} from '@a2a/a2a-core';
import { AgentEngine, EngineStore } from '../support/agent-engine.js';
import { BenchAgent } from './servers/ours.agent.js';

@Module({ providers: [BenchAgent] })
class BenchModule {}

/** Counts how often events are read from the store. */
class CountingRepository extends InMemoryTaskRepository {
  reads = 0;

  override readEvents(scope: TaskScope, taskId: string, afterVersion: number, limit: number): Promise<TaskEvent[]> {
    this.reads += 1;
    return super.readEvents(scope, taskId, afterVersion, limit);
  }
}

class CountingStore extends EngineStore {
  override readonly tasks = new CountingRepository();
}

const EVENTS = 30;
const READERS = 100;
/** What the log may look for by the clock, on however slow a machine; far below one read a reader. */
const LOOKS = READERS / 5;

describe('readers of one task', () => {
  const store = new CountingStore();
  let engine: AgentEngine;

  beforeAll(async () => {
    engine = await AgentEngine.start('bench', [BenchModule], { store });
  });
  afterAll(() => engine.stop());

  /** A reader that has got its first item. */
  const subscribe = async (id: string): Promise<AsyncIterator<StreamItem>> => {
    const handler = engine.app.get(RequestHandler, { strict: false });
    const headers = new Map([['a2a-version', '1.0']]);
    const call = { binding: 'JSONRPC', mount: 'bench', headers, principal: ANONYMOUS, signal: new AbortController().signal };
    const { response } = await handler.subscribeToTask(create(SubscribeToTaskRequestSchema, { id }), call);
    const reader = response[Symbol.asyncIterator]();
    await reader.next();
    return reader;
  };

  const readToEnd = async (reader: AsyncIterator<StreamItem>): Promise<number> => {
    let items = 0;
    while (!(await reader.next()).done) items += 1;
    return items;
  };

  /** @returns how often the store was read while the task ran, after `leavers` have come and gone */
  const readsWith = async (leavers: number, stayers: number): Promise<number> => {
    const { id } = await engine.begin(`fanout ${EVENTS}`);
    for (let leaver = 0; leaver < leavers; leaver++) {
      const reader = await subscribe(id);
      const waiting = reader.next();
      await reader.return?.();
      expect((await waiting).done).toBe(true);
    }
    const staying: Promise<number>[] = [];
    for (let reader = 0; reader < stayers; reader++) staying.push(readToEnd(await subscribe(id)));
    await new Promise(setImmediate);
    const before = store.tasks.reads;
    engine.app.get(BenchAgent).go();
    for (const items of await Promise.all(staying)) expect(items).toBeGreaterThan(EVENTS);
    return store.tasks.reads - before;
  };

  it('cost the store what one does, however many they are [W6]', async () => {
    expect(await readsWith(0, READERS)).toBeLessThanOrEqual((await readsWith(0, 1)) + LOOKS);
  });

  it('cost nothing once they have left [W6]', async () => {
    expect(await readsWith(READERS, 1)).toBeLessThanOrEqual((await readsWith(0, 1)) + LOOKS);
  });
});

describe('an agent that never yields', () => {
  let engine: AgentEngine;

  beforeAll(async () => {
    engine = await AgentEngine.start('bench', [BenchModule]);
  });
  afterAll(() => engine.stop());

  it('keeps no other caller waiting until it is done', async () => {
    const order: string[] = [];
    const flood = engine.stream('flood 2000').then(() => order.push('flood'));
    for (let call = 0; call < 5; call++) await engine.send('echo').then(() => order.push('other'));
    await flood;
    expect(order.indexOf('flood')).toBe(5);
  });
});
