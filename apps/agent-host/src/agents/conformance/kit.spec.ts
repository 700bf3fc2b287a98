import { type Message, partData, TaskState, textOf, userMessage } from '@a2a/a2a-core';
import { type AgentEngine } from '../../../../../test/support/agent-engine.js';
import { outline, SpecClock, startConformance } from './fixtures/conformance-engine.js';

describe('the conformance agent, by messageId', () => {
  const clock = new SpecClock();
  let engine: AgentEngine;
  beforeAll(async () => (engine = await startConformance(clock)));
  beforeEach(() => clock.slept.splice(0));
  afterAll(() => engine.stop());

  const withId = (prefix: string, extras: Partial<Message> = {}): Message =>
    userMessage('go', { messageId: `${prefix}-1a2b3c4d-jsonrpc`, ...(extras as { taskId?: string }) });

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
