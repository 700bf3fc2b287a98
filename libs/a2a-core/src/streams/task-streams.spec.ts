import { type Task } from '../gen/a2a_pb.js';
import { artifact, textPart } from '../protocol/messages.js';
import { type ManualClock } from '../testing/manual-clock.js';
import { brief, script, startScripted } from '../testing/scripted-agent.js';
import { collect, incomingCall, type TestEngine } from '../testing/test-engine.js';

const EVENTS = script('events', async function* (turn) {
  yield turn.working('on it');
  yield turn.artifact('done');
  yield turn.completed();
});

describe('streams of a task', () => {
  let engine: TestEngine;
  let clock: ManualClock;
  beforeAll(async () => ({ engine, clock } = await startScripted()));
  afterAll(() => engine.close());

  it('give every reader the same events in the same order, whoever leaves [DLV-03…DLV-05]', async () => {
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const name = script('gated', async function* (turn) {
      yield turn.working();
      await gate;
      const text = artifact('0');
      for (let index = 0; index < 50; index++) {
        yield turn.artifactChunk({ ...text, parts: [textPart(String(index))] }, { append: index > 0 });
        if (index % 10 === 0) await new Promise(setImmediate);
      }
    });
    const { id } = await engine.sendForTask(name, { configuration: { returnImmediately: true } });
    const readers = await Promise.all([engine.subscribe(id), engine.subscribe(id)]);
    const leaving = (await engine.subscribe(id))[Symbol.asyncIterator]();
    await leaving.next();
    await leaving.return?.();
    const seen = readers.map(collect);
    go();
    const [one, two] = await Promise.all(seen);
    expect(one?.map(brief)).toEqual(two?.map(brief));
    expect(one?.map(brief).slice(1)).toHaveLength(51 + (one?.map(brief).includes('status WORKING') ? 1 : 0));
    expect(one?.at(-1)?.payload.case).toBe('statusUpdate');
  });

  it('end with INPUT_REQUIRED of their turn and stay open on AUTH_REQUIRED [DLV-07]', async () => {
    const asking = await collect(await engine.stream(script('ask', async (turn) => turn.requireInput('Which colour?'))));
    expect(asking.map(brief)).toEqual(['task SUBMITTED', 'status INPUT_REQUIRED']);
    const name = script('auth', async function* (turn) {
      yield turn.requireAuth('Sign in');
      await clock.advance(0);
      yield* [turn.working(), turn.completed()];
    });
    const events = await collect(await engine.stream(name));
    expect(events.map(brief)).toEqual(['task SUBMITTED', 'status AUTH_REQUIRED', 'status WORKING', 'status COMPLETED']);
  });

  it('resume exactly behind the last event seen, also when the task has ended', async () => {
    const items: { version?: number; text: string }[] = [];
    for await (const { event, version } of await engine.stream(EVENTS)) items.push({ version, text: brief(event) });
    expect(items.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
    const { payload } = await engine.send(EVENTS);
    const id = (payload.value as Task).id;
    const rest = await collect(await engine.subscribe(id, incomingCall({ lastEventVersion: 2 })));
    expect(rest.map(brief)).toEqual(['artifact done.', 'status COMPLETED']);
    expect(await collect(await engine.subscribe(id, incomingCall({ lastEventVersion: 4 })))).toEqual([]);
    await expect(engine.subscribe(id, incomingCall({ lastEventVersion: 5 }))).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
    await expect(engine.subscribe(id)).rejects.toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
  });

  it('let other work go on while an agent never awaits', async () => {
    const name = script('burst', async function* (turn) {
      const text = artifact('x');
      for (let index = 0; index < 5_000; index++) yield turn.artifactChunk({ ...text, parts: [textPart('x')] }, { append: index > 0 });
    });
    let rounds = 0;
    const countRound = (): void => {
      rounds += 1;
      round = setImmediate(countRound);
    };
    let round = setImmediate(countRound);
    const events = await collect(await engine.stream(name));
    clearImmediate(round);
    expect(events).toHaveLength(5_002);
    expect(rounds).toBeGreaterThan(10);
  });
});
