import { create } from '@bufbuild/protobuf';
import { ListTasksRequestSchema, type Task } from '../gen/a2a_pb.js';
import { partData, textOf, userMessage } from '../protocol/messages.js';
import { TaskRepository } from '../tasks/task-repository.js';
import { type ManualClock } from '../testing/manual-clock.js';
import { brief, script, startScripted, stateOf } from '../testing/scripted-agent.js';
import { collect, incomingCall, type TestEngine } from '../testing/test-engine.js';

describe('what a skill may return or yield', () => {
  let engine: TestEngine;
  let clock: ManualClock;
  beforeAll(async () => ({ engine, clock } = await startScripted()));
  afterAll(() => engine.close());

  it('answers directly with a returned string [SEND-02]', async () => {
    const { payload } = await engine.send(script('string', () => 'hi'));
    expect(payload.case).toBe('message');
    expect(textOf(payload.value as never)).toBe('hi');
  });

  it('makes a completed task with one data artifact of a returned object', async () => {
    const task = await engine.sendForTask(script('object', async () => ({ total: 3 })));
    expect(stateOf(task)).toBe('COMPLETED');
    expect(task.artifacts.map(({ parts }) => parts.map(partData))).toEqual([[{ total: 3 }]]);
  });

  it('streams yielded strings as chunks of one artifact [DLV-09]', async () => {
    const events = await collect(
      await engine.stream(
        script('strings', async function* () {
          yield 'a';
          await new Promise(setImmediate);
          yield 'b';
          yield 'c';
        }),
      ),
    );
    expect(events.map(brief)).toEqual(['task SUBMITTED', 'artifact a', 'artifact b+', 'artifact c+.', 'status COMPLETED']);
    expect(
      new Set(events.flatMap(({ payload }) => (payload.case === 'artifactUpdate' ? [payload.value.artifact?.artifactId] : []))).size,
    ).toBe(1);
  });

  it('keeps a character whole that the agent cut in two, and replaces a half that has no other [D6]', async () => {
    const task = await engine.sendForTask(
      script('emoji', async function* () {
        yield 'a\ud83d';
        yield '\ude00b';
        yield '\ud83d';
      }),
    );
    expect(task.artifacts[0]?.parts.map(({ content }) => content.value).join('')).toBe('a😀b\ufffd');
    const cut = await engine.sendForTask(
      script('cut', async function* (turn) {
        yield turn.completed('\ud83d');
      }),
    );
    expect(textOf((await engine.task(cut.id)).status?.message)).toBe('\ufffd');
  });

  it('passes yielded events as they are, the task first [STRM-02]', async () => {
    const events = await collect(
      await engine.stream(
        script('events', async function* (turn) {
          yield turn.working('on it');
          yield turn.artifact('done');
          yield turn.completed();
        }),
      ),
    );
    expect(events.map(brief)).toEqual(['task SUBMITTED', 'status WORKING', 'artifact done.', 'status COMPLETED']);
  });

  it('takes the return value of a generator as its last event', async () => {
    const task = await engine.sendForTask(
      script('returned', async function* (turn) {
        yield turn.working();
        return turn.requireInput('Which one?');
      }),
    );
    expect(stateOf(task)).toBe('INPUT_REQUIRED');
  });

  it('fails the task when a skill throws, and tells the log alone why [ERR-10]', async () => {
    const task = await engine.sendForTask(
      script('throws', () => {
        throw new Error('secret-canary');
      }),
    );
    expect(stateOf(task)).toBe('FAILED');
    expect(JSON.stringify(task, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))).not.toContain('canary');
    const errorId = /error ([0-9a-f-]{36})/.exec(textOf(task.status?.message))?.[1];
    expect(engine.logged.find(({ facts }) => facts?.['errorId'] === errorId)?.facts?.['error']).toMatchObject({
      message: 'secret-canary',
    });
  });

  it('answers directly, and makes no task, however long the store takes to keep the answer [SEND-02]', async () => {
    const repository = engine.get(TaskRepository);
    const save = repository.saveReply.bind(repository);
    jest.spyOn(repository, 'saveReply').mockImplementationOnce(async (...reply) => {
      await clock.sleep(5_000);
      await save(...reply);
    });
    const name = script('kept', () => 'hi');
    const { payload } = await clock.advanceUntil(engine.send(userMessage(name, { contextId: 'kept' })));
    expect(payload.case).toBe('message');
    const { response } = await engine.handler.listTasks(create(ListTasksRequestSchema, { contextId: 'kept' }), incomingCall());
    expect(response.totalSize).toBe(0);
  });

  it('makes a task of an answer that takes longer than taskAfterMs', async () => {
    let answer: (text: string) => void = () => undefined;
    const name = script('slow', () => new Promise<string>((resolve) => (answer = resolve)));
    const { payload } = await clock.advanceUntil(engine.send(name, { configuration: { returnImmediately: true } }));
    expect(payload.case).toBe('task');
    const task = payload.value as Task;
    expect(stateOf(task)).toBe('SUBMITTED');
    const seen = collect(await engine.subscribe(task.id));
    answer('late');
    expect((await seen).map(brief)).toEqual(['task SUBMITTED', 'status COMPLETED']);
    expect(textOf((await engine.task(task.id)).status?.message)).toBe('late');
  });
});
