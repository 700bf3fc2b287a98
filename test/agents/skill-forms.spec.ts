import { type AgentEvent, type Message, partData, type Task, TaskState, testTurn, textOf, userMessage } from '@a2a/a2a-core';
import { AgentEngine } from '../support/agent-engine.js';
import { FormsModule, ReportSkill } from './skill-forms.module.js';

describe('a skill', () => {
  let engine: AgentEngine;

  beforeAll(async () => {
    engine = await AgentEngine.start('forms', [FormsModule]);
  });
  afterAll(() => engine.stop());

  const ask = (skillId: string, text: string): Message => userMessage(text, { metadata: { skillId } });
  const dataOf = ({ parts }: { parts: Message['parts'] }): unknown => parts[0] && partData(parts[0]);
  const stateOf = (task: Task): string | undefined => TaskState[task.status?.state ?? 0];
  const reply = (task: Task, text: string): Promise<Task> => engine.run(userMessage(text, { taskId: task.id }));

  it('that returns a string answers with a message, without a task', async () => {
    const answer = await engine.send(ask('greet', 'Ada'));
    expect(answer.$typeName).toBe('lf.a2a.v1.Message');
    expect(textOf(answer as Message)).toBe('Hello, Ada!');
  });

  it('that returns a Message answers with it', async () => {
    expect(dataOf((await engine.send(ask('dice', 'please'))) as Message)).toEqual({ rolled: expect.any(Number) });
  });

  it('that returns an object completes a task with one data artifact', async () => {
    const task = await engine.run(ask('measure', 'two words'));
    expect([stateOf(task), ...task.artifacts.map(dataOf)]).toEqual(['COMPLETED', { characters: 9, words: 2 }]);
  });

  it('that yields strings streams one artifact', async () => {
    const events = await engine.stream(ask('spell', 'abc'));
    const chunks = events.flatMap(({ payload }) => (payload.case === 'artifactUpdate' ? [payload.value] : []));
    expect(new Set(chunks.map(({ artifact }) => artifact?.artifactId)).size).toBe(1);
    expect(chunks.map(({ artifact }) => textOf(artifact)).join('')).toBe('a\nb\nc\n');
    expect(chunks.map(({ append, lastChunk }) => [append, lastChunk])).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ]);
  });

  it('that yields events says exactly those', async () => {
    const kinds = (await engine.stream(ask('report', 'Title'))).map(({ payload }) =>
      payload.case === 'statusUpdate' ? TaskState[payload.value.status?.state ?? 0] : payload.case,
    );
    expect(kinds).toEqual(['task', 'WORKING', 'artifactUpdate', 'COMPLETED']);
  });

  it('that throws fails the task, and its error stays in the log', async () => {
    const task = await engine.run(ask('fail', 'please'));
    expect(stateOf(task)).toBe('FAILED');
    expect(textOf(task.status?.message)).toMatch(/^The agent could not finish this task \(error [\w-]{36}\)$/);
  });

  it('that requires input is asked again, with the task', async () => {
    const asked = await engine.run(ask('order', 'a pizza'));
    expect([stateOf(asked), textOf(asked.status?.message)]).toEqual(['INPUT_REQUIRED', 'Which size?']);
    const task = await reply(asked, 'large');
    expect([stateOf(task), textOf(task.status?.message)]).toEqual(['COMPLETED', 'A large one it is']);
  });

  it('makes a memo once a task, and keeps values of its caller', async () => {
    const first = await engine.run(ask('charge', 'go'));
    const second = await reply(first, 'again');
    const said = [first, second].map((task) => textOf(task.status?.message));
    const receipt = /R-\d+/.exec(said[0] ?? '')?.[0];
    expect(said).toEqual([`Charged with ${receipt}, 1 so far. Anything else?`, `Charged with ${receipt}, 2 so far. Anything else?`]);
  });

  it('is guarded like anything in Nest, before a task exists', async () => {
    expect(textOf((await engine.send(ask('deliver', 'at noon'))) as Message)).toBe('On its way');
    const refused = await engine.send(ask('deliver', 'at night')).catch((error: unknown) => error);
    expect(refused).toMatchObject({ reason: 'PERMISSION_DENIED' });
  });

  it('can be tested without a host', async () => {
    const events: AgentEvent[] = [];
    for await (const event of new ReportSkill({ now: () => 0, sleep: async () => {}, after: () => () => {} }).execute(
      testTurn({ message: 'Title' }),
    ))
      events.push(event);
    expect(events[1]).toMatchObject({ artifact: { name: 'report.md' } });
  });
});
