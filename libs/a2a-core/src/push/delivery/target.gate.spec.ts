import { setMaxListeners } from 'node:events';
import { ManualClock } from '../../testing/manual-clock.js';
import { type Pass, type Postponed, TargetGate } from './target.gate.js';

const LIMITS = { concurrency: 6, hostConcurrency: 2, hostRate: 100, hostFailures: 3 };

describe('the gate to targets', () => {
  const clock = new ManualClock();
  const never = new AbortController().signal;
  setMaxListeners(0, never);
  const logged: string[] = [];
  const note = (message: string, facts?: Record<string, unknown>): void => void logged.push(`${String(facts?.['host'])}: ${message}`);
  const logger = { debug: note, info: note, warn: note, error: note };
  const gateWith = (limits: Partial<typeof LIMITS> = {}) => new TargetGate(clock, { ...LIMITS, ...limits }, logger);
  beforeEach(() => logged.splice(0));

  /** Asks `count` times; tells what has been answered so far. */
  const ask = (gate: TargetGate, host: string, count: number) => {
    const answers: (Pass | Postponed)[] = [];
    for (let index = 0; index < count; index++) void gate.enter(host, never).then((answer) => answers.push(answer));
    return answers;
  };
  const passes = (answers: readonly (Pass | Postponed)[]) => answers.filter((answer): answer is Pass => answer.kind === 'pass');

  it('lets a few at a time to one host, the next when one leaves [C18]', async () => {
    const gate = gateWith();
    const answers = ask(gate, 'a', 5);
    await clock.advance(0);
    expect(answers).toHaveLength(2);
    passes(answers)[0]?.leave(true);
    await clock.advance(0);
    expect(answers).toHaveLength(3);
  });

  it('lets hosts not wait for each other', async () => {
    const gate = gateWith();
    ask(gate, 'slow', 40);
    const answers = [ask(gate, 'a', 1), ask(gate, 'b', 1)];
    await clock.advance(0);
    expect(answers.map((host) => passes(host).length)).toEqual([1, 1]);
  });

  it('lets no more than so many out over all hosts', async () => {
    const gate = gateWith();
    const answers = ['a', 'b', 'c', 'd'].map((host) => ask(gate, host, 2));
    await clock.advance(0);
    expect(answers.map((host) => host.length)).toEqual([2, 2, 2, 0]);
    passes(answers[0] ?? [])[0]?.leave(true);
    await clock.advance(0);
    expect(answers.map((host) => host.length)).toEqual([2, 2, 2, 1]);
  });

  it('lets so many a second to one host [C18]', async () => {
    const gate = gateWith({ hostRate: 10, hostConcurrency: 100, concurrency: 100 });
    const answers = ask(gate, 'a', 25);
    await clock.advance(999);
    expect(answers).toHaveLength(10);
    await clock.advance(1);
    expect(answers).toHaveLength(20);
    await clock.advance(1_000);
    expect(answers).toHaveLength(25);
  });

  it('sends away those who would wait long, with a time to come back', async () => {
    const gate = gateWith({ hostRate: 10 });
    const answers = ask(gate, 'a', 2_000);
    await clock.advance(0);
    const away = answers.filter((answer): answer is Postponed => answer.kind === 'postponed');
    expect(away).toHaveLength(2_000 - 1_000 - 2);
    expect(away.every(({ delayMs }) => delayMs >= 1_000 && delayMs <= 60_000)).toBe(true);
  });

  it('lets some wait for every host, however many wait for others', async () => {
    const gate = gateWith({ concurrency: 0 });
    for (let host = 0; host < 11; host++) ask(gate, `busy-${host}`, 1_000);
    const answers = ask(gate, 'quiet', 100);
    await clock.advance(0);
    expect(answers).toHaveLength(100 - 64);
  });

  it('leaves a host that fails alone, tries it with one, and opens when that works [C19]', async () => {
    const gate = gateWith();
    const fail = async () => {
      const answers = ask(gate, 'a', 1);
      await clock.advance(0);
      passes(answers)[0]?.leave(false);
      return answers[0]?.kind;
    };
    expect([await fail(), await fail(), await fail(), await fail()]).toEqual(['pass', 'pass', 'pass', 'pass']);
    await clock.advance(10_000);
    expect([await fail(), await fail()]).toEqual(['pass', 'postponed']);
    await clock.advance(30_000);
    const trying = ask(gate, 'a', 2);
    await clock.advance(0);
    expect(trying.map(({ kind }) => kind).toSorted()).toEqual(['pass', 'postponed']);
    passes(trying)[0]?.leave(false);
    await clock.advance(59_000);
    expect(await fail()).toBe('postponed');
    await clock.advance(1_000);
    const working = ask(gate, 'a', 1);
    await clock.advance(0);
    passes(working)[0]?.leave(true);
    const open = ask(gate, 'a', 2);
    await clock.advance(0);
    expect(passes(open)).toHaveLength(2);
    expect(logged).toEqual([
      'a: A host of webhooks only fails: it is left alone, then tried with one delivery',
      'a: A host of webhooks only fails: it is left alone, then tried with one delivery',
      'a: A host of webhooks works again',
    ]);
  });

  it('does not leave a host alone that fails now and then', async () => {
    const gate = gateWith();
    for (let round = 0; round < 20; round++) {
      const answers = ask(gate, 'a', 1);
      await clock.advance(1_000);
      expect(passes(answers)).toHaveLength(1);
      passes(answers)[0]?.leave(round % 3 === 0);
    }
    for (let burst = 0; burst < 20; burst++) {
      const answers = ask(gate, 'a', 1);
      await clock.advance(0);
      expect(passes(answers)).toHaveLength(1);
      passes(answers)[0]?.leave(false);
    }
    expect(logged).toEqual([]);
  });

  it('lets those go who give up', async () => {
    const gate = gateWith();
    const held = ask(gate, 'a', 2);
    const patience = new AbortController();
    const waiting = gate.enter('a', patience.signal);
    patience.abort();
    await expect(waiting).resolves.toEqual({ kind: 'postponed', delayMs: 0 });
    await clock.advance(0);
    passes(held)[0]?.leave(true);
    const next = ask(gate, 'a', 1);
    await clock.advance(0);
    expect(passes(next)).toHaveLength(1);
  });
});
