import { Clock, type Message, partData, SystemClock, type StreamResponse, type Task, TaskState, textOf, userMessage } from '@a2a/a2a-core';
import { AgentEngine } from '../../../../../test/support/agent-engine.js';
import { ApprovalsModule } from '../../approvals/approvals.module.js';
import { ConformanceModule } from './conformance.module.js';
import { type ConformanceConfig } from './conformance.options.js';

/** A pause of this length lasts until the spec ends it. */
const HELD_MS = 3_999;

/** Short pauses pass at once and are counted, and one length waits for the spec. The longest wait of a send stays what it is. */
class SpecClock extends SystemClock {
  readonly slept: number[] = [];
  #release = (): void => {};

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms > 60_000) return super.sleep(ms, signal);
    this.slept.push(ms);
    signal?.throwIfAborted();
    if (ms === HELD_MS) await new Promise<void>((resolve) => (this.#release = resolve));
  }

  async release(): Promise<void> {
    this.#release();
    await new Promise(setImmediate);
  }
}

describe('the conformance agent', () => {
  const clock = new SpecClock();
  let engine: AgentEngine;

  beforeAll(async () => {
    const config: ConformanceConfig = { profile: 'full', extendedCard: false, replica: 'replica-7' };
    engine = await AgentEngine.start('conformance', [ApprovalsModule.forRoot({ publicUrl: '' }), ConformanceModule.forProfile(config)], {
      overrides: [{ provide: Clock, useValue: clock }],
    });
  });
  beforeEach(() => clock.slept.splice(0));
  afterAll(() => engine.stop());

  const withId = (prefix: string, extras: Partial<Message> = {}): Message =>
    userMessage('go', { messageId: `${prefix}-1a2b3c4d-jsonrpc`, ...(extras as { taskId?: string }) });
  const followUp = (task: Task, text: string): Promise<Task> => engine.run(userMessage(text, { taskId: task.id }));

  describe('by messageId', () => {
    it.each([
      ['tck-complete-task', TaskState.COMPLETED, 'Hello from TCK'],
      ['tck-delayed-complete', TaskState.COMPLETED, 'Done after delay'],
      ['tck-input-required', TaskState.INPUT_REQUIRED, 'What else should I know?'],
      ['tck-auth-required', TaskState.AUTH_REQUIRED, 'Please authorize this out of band'],
      ['tck-reject-task', TaskState.REJECTED, 'Rejected as asked'],
      ['tck-task-failure', TaskState.FAILED, 'Failed as asked'],
      ['tck-stream-002', TaskState.COMPLETED, 'Done'],
      ['test-resubscribe-message-id', TaskState.COMPLETED, 'Done'],
      ['anything-else', TaskState.COMPLETED, 'Hello from the conformance agent'],
    ])('%s ends in state %s with "%s"', async (prefix, state, text) => {
      const { status } = await engine.run(withId(prefix));
      expect([status?.state, textOf(status?.message)]).toEqual([state, text]);
    });

    it('waits as long as the kit expects', async () => {
      await engine.run(withId('tck-delayed-complete'));
      await engine.run(withId('test-resubscribe-message-id'));
      expect(clock.slept).toEqual([2_000, 4_000]);
    });

    it.each([
      ['tck-artifact-text', { content: { case: 'text', value: 'Generated text content' } }],
      [
        'tck-artifact-file-url',
        { content: { case: 'url', value: 'https://example.com/output.txt' }, filename: 'output.txt', mediaType: 'text/plain' },
      ],
      ['tck-artifact-file', { content: { case: 'raw' }, filename: 'output.txt', mediaType: 'text/plain' }],
    ])('%s gives its artifact', async (prefix, part) => {
      const task = await engine.run(withId(prefix));
      expect(task).toMatchObject({ status: { state: TaskState.COMPLETED }, artifacts: [{ parts: [part] }] });
    });

    it('gives data as data', async () => {
      const [artifact] = (await engine.run(withId('tck-artifact-data'))).artifacts;
      expect(artifact?.parts.map(partData)).toEqual([{ key: 'value', count: 42 }]);
    });

    it('answers with a message, and on a task with the task', async () => {
      const answer = await engine.send(withId('tck-message-response'));
      expect(answer).toMatchObject({ $typeName: 'lf.a2a.v1.Message', parts: [{ content: { value: 'Direct message response' } }] });
      const { id } = await engine.run('/ask');
      expect(await engine.run(withId('tck-message-response', { taskId: id }))).toMatchObject({
        id,
        status: { state: TaskState.COMPLETED },
      });
    });

    it.each(['tck-stream-001', 'tck-stream-003', 'tck-stream-ordering-001', 'tck-stream-basic'])(
      '%s works, makes a text, completes',
      async (prefix) => {
        expect(outline(await engine.stream(withId(prefix)))).toEqual(['task SUBMITTED', 'WORKING', 'artifact', 'COMPLETED']);
      },
    );

    it.each(['tck-stream-artifact-chunked', 'tck-stream-chunked'])('%s streams one artifact in three chunks', async (prefix) => {
      const events = await engine.stream(withId(prefix));
      expect(outline(events)).toEqual(['task SUBMITTED', 'WORKING', 'artifact', 'artifact +', 'artifact + last', 'COMPLETED']);
    });

    it('keeps asking under the same prefix, and completes under another', async () => {
      const { id } = await engine.run(withId('tck-input-required'));
      expect((await engine.run(withId('tck-input-required-again', { taskId: id }))).status?.state).toBe(TaskState.INPUT_REQUIRED);
      expect((await engine.run(withId('follow-up', { taskId: id }))).status?.state).toBe(TaskState.COMPLETED);
    });

    it.each(['tck-cancel', 'tck-long-running'])('%s works until it is cancelled', async (prefix) => {
      const { id } = await engine.begin(withId(prefix));
      expect((await engine.cancel(id)).status?.state).toBe(TaskState.CANCELED);
    });

    it('takes one messageId for many tasks', async () => {
      const [first, second] = [await engine.run(withId('tck-complete-task')), await engine.run(withId('tck-complete-task'))];
      expect(first.id).not.toBe(second.id);
    });
  });

  describe('by command', () => {
    it('echoes in a message, and on a task in its status', async () => {
      expect(textOf((await engine.send('/echo two  words\nand a line')) as Message)).toBe('two  words\nand a line');
      const task = await followUp(await engine.run('/ask'), '/echo on a task');
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
      const task = await followUp(asked, 'forty-two');
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

  describe('/auth', () => {
    it.each([
      ['approve', ['AUTH_REQUIRED', 'WORKING', 'COMPLETED']],
      ['decline', ['AUTH_REQUIRED', 'FAILED']],
    ])('goes on when a person decides to %s, without its client [AUTHT-04]', async (decision, states) => {
      const { id, status } = await engine.run('/auth');
      const { rest } = await engine.subscribe(id);
      await decide(textOf(status?.message), decision);
      expect(outline(await rest).map((line) => line.replace('task ', ''))).toEqual(states);
    });

    it('fails on deny, and takes the approval back', async () => {
      const asked = await engine.run('/auth');
      expect((await followUp(asked, 'what is this?')).status?.state).toBe(TaskState.AUTH_REQUIRED);
      expect((await followUp(asked, 'deny')).status?.state).toBe(TaskState.FAILED);
      expect(await (await fetch(pageOf(textOf(asked.status?.message)))).text()).toContain('Withdrawn');
    });

    function pageOf(text: string): string {
      return `${engine.url}${/\/approvals\/\S+/.exec(text)?.[0]}`;
    }

    async function decide(text: string, decision: string): Promise<void> {
      const page = await (await fetch(pageOf(text))).text();
      const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';
      const response = await fetch(pageOf(text), { method: 'POST', body: new URLSearchParams({ decision, token }) });
      expect(response.status).toBe(200);
    }
  });
});

/** `task SUBMITTED`, `WORKING`, `artifact + last`. */
function outline(events: readonly StreamResponse[]): string[] {
  return events.map(({ payload }) => {
    switch (payload.case) {
      case 'task':
        return `task ${TaskState[payload.value.status?.state ?? 0]}`;
      case 'statusUpdate':
        return String(TaskState[payload.value.status?.state ?? 0]);
      case 'artifactUpdate':
        return `artifact${payload.value.append ? ' +' : ''}${payload.value.append && payload.value.lastChunk ? ' last' : ''}`;
      default:
        return String(payload.case);
    }
  });
}
