import { type Message, partData, TaskState, textOf } from '@a2a/a2a-core';
import { type AgentEngine } from '../../../../../test/support/agent-engine.js';
import { followUp, HELD_MS, SpecClock, startConformance } from './fixtures/conformance-engine.js';

describe('the conformance agent, by command', () => {
  const clock = new SpecClock();
  let engine: AgentEngine;
  beforeAll(async () => (engine = await startConformance(clock)));
  beforeEach(() => clock.slept.splice(0));
  afterAll(() => engine.stop());

  it('echoes in a message, and on a task in its status', async () => {
    expect(textOf((await engine.send('/echo two  words\nand a line')) as Message)).toBe('two  words\nand a line');
    const task = await followUp(engine, await engine.run('/ask'), '/echo on a task');
    expect([task.status?.state, textOf(task.status?.message)]).toEqual([TaskState.COMPLETED, 'on a task']);
  });

  it('streams numbered chunks of the size asked for', async () => {
    const events = await engine.stream('/stream n=4 bytes=10 every=30');
    const chunks = events.flatMap(({ payload }) => (payload.case === 'artifactUpdate' ? [textOf(payload.value.artifact)] : []));
    expect(chunks).toEqual(['0:........', '1:........', '2:........', '3:........']);
    expect(clock.slept).toEqual([30, 30, 30]);
  });

  it('bursts without a pause', async () => {
    const task = await engine.run('/burst n=500 bytes=2');
    expect(task.artifacts[0]?.parts).toHaveLength(500);
    expect(clock.slept).toEqual([]);
  });

  it('sleeps until a cancel wakes it', async () => {
    const { id } = await engine.begin('/sleep ms=60001');
    expect((await engine.cancel(id)).status?.state).toBe(TaskState.CANCELED);
    expect((await engine.get(id)).status?.state).toBe(TaskState.CANCELED);
  });

  it('comes too late when it is stubborn', async () => {
    const { id } = await engine.begin(`/stubborn ms=${HELD_MS}`);
    expect((await engine.cancel(id)).status?.state).toBe(TaskState.CANCELED);
    await clock.release();
    expect(await engine.get(id)).toMatchObject({ status: { state: TaskState.CANCELED }, artifacts: [] });
  });

  it('completes from a timer when it is detached [AUTHT-04]', async () => {
    const { id } = await engine.begin(`/detached ms=${HELD_MS}`);
    const { rest } = await engine.subscribe(id);
    await clock.release();
    const last = (await rest).at(-1);
    expect(last?.payload.case === 'statusUpdate' && textOf(last.payload.value.status?.message)).toBe('Done from a timer');
  });

  it('makes the answer its artifact', async () => {
    const asked = await engine.run('/ask');
    expect(asked.status?.state).toBe(TaskState.INPUT_REQUIRED);
    const task = await followUp(engine, asked, 'forty-two');
    expect([task.status?.state, ...task.artifacts.map(textOf)]).toEqual([TaskState.COMPLETED, 'forty-two']);
  });

  it.each([
    ['/throw', []],
    ['/throw when=before', []],
    ['/throw when=after', ['half of it']],
  ])('%s fails and tells no secret', async (command, artifacts) => {
    const task = await engine.run(command);
    expect(task.status?.state).toBe(TaskState.FAILED);
    expect(task.artifacts.map(textOf)).toEqual(artifacts);
    expect(JSON.stringify(task, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))).not.toContain('canary');
  });

  it.each(['message-after-task', 'other-task', 'after-last-chunk'])('/bad kind=%s fails the task', async (kind) => {
    expect((await engine.run(`/bad kind=${kind}`)).status?.state).toBe(TaskState.FAILED);
  });

  it('cannot change what has ended', async () => {
    const task = await engine.run('/bad kind=after-terminal');
    expect([task.status?.state, task.artifacts]).toEqual([TaskState.COMPLETED, []]);
  });

  it('merges metadata of chunks', async () => {
    const [artifact] = (await engine.run('/bad kind=append-metadata')).artifacts;
    expect(artifact?.metadata).toEqual({ a: 1, b: 2 });
  });

  it('makes an artifact as big as asked', async () => {
    const [artifact] = (await engine.run('/big parts=3 bytes=1000')).artifacts;
    expect(artifact?.parts.map(({ content }) => content.case === 'text' && content.value.length)).toEqual([1_000, 1_000, 1_000]);
  });

  it('tells who calls, where it runs, and how often', async () => {
    expect(await dataOf('/whoami')).toMatchObject({
      principal: 'anonymous',
      authenticated: false,
      tenant: '',
      scopes: [],
      agent: 'conformance',
    });
    expect(await dataOf('/pid')).toEqual({ pid: process.pid, replica: 'replica-7' });
    expect(await dataOf('/count key=a')).toEqual({ key: 'a', count: 1 });
    expect(await dataOf('/count key=b')).toEqual({ key: 'b', count: 1 });
    expect(await dataOf('/count key=a')).toEqual({ key: 'a', count: 2 });
  });

  it.each([
    ['/stream n=2000000', 'n must be a whole number from 0 to 1000000'],
    ['/sleep ms=soon', 'ms must be a whole number from 0 to 600000'],
    [`/count key=${'k'.repeat(65)}`, expect.stringMatching(/^key must be 1 to 64/)],
    ['/bad kind=constructor', expect.stringMatching(/^kind must be one of message-after-task, /)],
  ])('%s is rejected with the reason', async (command, reason) => {
    const { status } = await engine.run(command);
    expect([status?.state, textOf(status?.message)]).toEqual([TaskState.REJECTED, reason]);
  });

  it.each(['/nothing', '/', '/constructor', 'an /echo inside'])('%s is no command', async (text) => {
    expect((await engine.run(text)).status?.state).toBe(TaskState.COMPLETED);
  });

  async function dataOf(command: string): Promise<unknown> {
    const [part] = (await engine.run(command)).artifacts[0]?.parts ?? [];
    return part && partData(part);
  }
});
