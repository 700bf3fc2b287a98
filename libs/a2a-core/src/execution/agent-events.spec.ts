import { type JsonObject } from '@bufbuild/protobuf';
import { TaskState } from '../gen/a2a_pb.js';
import { artifactUpdate, statusUpdate } from '../protocol/events.js';
import { artifact, textOf, textPart, userMessage } from '../protocol/messages.js';
import { type Script, script, startScripted, stateOf } from '../testing/scripted-agent.js';
import { type TestEngine } from '../testing/test-engine.js';

describe('what an agent must not do', () => {
  let engine: TestEngine;
  beforeAll(async () => ({ engine } = await startScripted()));
  afterAll(() => engine.close());

  const cases: [string, Script, string][] = [
    [
      'a message after the task',
      async function* (turn) {
        yield turn.working();
        yield turn.reply('no');
      },
      'FAILED',
    ],
    [
      'an event of another task',
      async function* (turn) {
        yield turn.working();
        yield statusUpdate({ taskId: 'other', contextId: turn.contextId }, TaskState.WORKING);
      },
      'FAILED',
    ],
    [
      'an event after a terminal state',
      async function* (turn) {
        yield turn.completed();
        yield turn.working();
      },
      'COMPLETED',
    ],
    [
      'more of an artifact after its last chunk',
      async function* (turn) {
        const sealed = artifact('sealed');
        yield turn.artifactChunk(sealed, { lastChunk: true });
        yield turn.artifactChunk({ ...sealed, parts: [textPart('more')] }, { append: true });
      },
      'FAILED',
    ],
    [
      'an artifact without parts',
      async function* (turn) {
        yield artifactUpdate(turn, { ...artifact('x'), parts: [] });
      },
      'FAILED',
    ],
  ];
  it.each(cases)('%s ends the task and is not stored [ERR-09]', async (name, run, state) => {
    const task = await engine.sendForTask(script(name, run));
    expect(stateOf(task)).toBe(state);
    expect(stateOf(await engine.task(task.id))).toBe(state);
  });

  it('nor may a client nest JSON deeper than every wire can carry [DATA-02]', async () => {
    const deep = JSON.parse(`${'{"k":'.repeat(31)}1${'}'.repeat(31)}`) as JsonObject;
    const refused = { reason: 'INVALID_PARAMS', details: { fieldViolations: [expect.objectContaining({ field: 'message.metadata' })] } };
    await expect(engine.send(userMessage('deep', { metadata: deep }))).rejects.toMatchObject(refused);
    const task = await engine.sendForTask(script('deep', () => deep));
    expect(stateOf(task)).toBe('FAILED');
  });

  it('two direct messages are InvalidAgentResponse [ERR-09]', async () => {
    const name = script('two messages', async function* (turn) {
      yield turn.reply('one');
      yield turn.reply('two');
    });
    await expect(engine.send(name)).rejects.toMatchObject({ reason: 'INVALID_AGENT_RESPONSE' });
  });
});

describe('an artifact in chunks', () => {
  let engine: TestEngine;
  beforeAll(async () => ({ engine } = await startScripted()));
  afterAll(() => engine.close());

  it('has its parts appended and its metadata merged [DLV-09]', async () => {
    const task = await engine.sendForTask(
      script('merge', async function* (turn) {
        const first = artifact('one', { metadata: { a: 1 } });
        yield turn.artifactChunk(first);
        yield turn.artifactChunk({ ...first, parts: [textPart('two')], metadata: { b: 2 } }, { append: true });
      }),
    );
    expect(textOf(task.artifacts[0])).toBe('one\ntwo');
    expect(task.artifacts[0]?.metadata).toEqual({ a: 1, b: 2 });
  });
});
