import { textOf, userMessage } from '../protocol/messages.js';
import { script, startScripted, stateOf } from '../testing/scripted-agent.js';
import { incomingCall, type TestEngine } from '../testing/test-engine.js';

const STRING = script('string', () => 'hi');
const OBJECT = script('object', async () => ({ total: 3 }));
const ASK = script('ask', async (turn) => turn.requireInput('Which colour?'));

describe('SendMessage', () => {
  let engine: TestEngine;
  beforeAll(async () => ({ engine } = await startScripted()));
  afterAll(() => engine.close());

  it('refuses a message for a task that has ended, in both sends [SEND-06]', async () => {
    const { id } = await engine.sendForTask(OBJECT);
    const again = () => userMessage(OBJECT, { taskId: id });
    const refusal = {
      reason: 'UNSUPPORTED_OPERATION',
      message: 'The task has ended (TASK_STATE_COMPLETED); begin a new one in the same context, with this one in referenceTaskIds',
      details: { metadata: { taskId: id, state: 'TASK_STATE_COMPLETED' } },
    };
    await expect(engine.send(again())).rejects.toMatchObject(refusal);
    await expect(engine.stream(again())).rejects.toMatchObject(refusal);
  });

  it('does not know a task that is not the caller’s [SEND-05]', async () => {
    await expect(engine.send(userMessage(STRING, { taskId: 'unknown' }))).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
  });

  it('refuses a context that is not the task’s [TURN-11]', async () => {
    const { id } = await engine.sendForTask(ASK);
    await expect(engine.send(userMessage('blue', { taskId: id, contextId: 'other' }))).rejects.toMatchObject({
      reason: 'INVALID_PARAMS',
    });
  });

  it('refuses a version it does not speak, and the 0.3 that an empty one stands for [VER-06]', async () => {
    await expect(engine.send(STRING, {}, incomingCall({ headers: { 'a2a-version': '99.0' } }))).rejects.toMatchObject({
      reason: 'VERSION_NOT_SUPPORTED',
    });
    await expect(engine.send(STRING, {}, incomingCall({ headers: { 'a2a-version': '' } }))).rejects.toMatchObject({
      reason: 'VERSION_NOT_SUPPORTED',
    });
  });
});

describe('the same message again', () => {
  let engine: TestEngine;
  beforeAll(async () => ({ engine } = await startScripted()));
  afterAll(() => engine.close());

  it('is answered from the first time, directly or with the task [SEND-09]', async () => {
    let runs = 0;
    const name = script('counted', async () => ({ run: ++runs }));
    const message = userMessage(name);
    const [first, second] = await Promise.all([engine.sendForTask(message), engine.sendForTask(message)]);
    const third = await engine.sendForTask(message);
    expect(new Set([first.id, second.id, third.id]).size).toBe(1);
    expect(runs).toBe(1);
    const direct = userMessage(STRING);
    expect(await engine.send(direct)).toEqual(await engine.send(direct));
  });

  it('is taken once by a task that goes on, also when it comes twice at the same time [SEND-09]', async () => {
    let runs = 0;
    const name = script('goes on', (turn) => (turn.task ? turn.completed(`run ${++runs}`) : turn.requireInput('what?')));
    for (const done of [false, true]) {
      const { id } = await engine.sendForTask(name);
      const message = userMessage('this', { taskId: id });
      const first = done ? await engine.sendForTask(message) : undefined;
      const answers = await Promise.all([message, message, message].map((same) => engine.sendForTask(same)));
      expect(answers.map(stateOf)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
      expect((await engine.task(id)).history.map(textOf).filter((text) => text === 'this')).toEqual(['this']);
      expect(first ?? answers[0]).toEqual(answers[1]);
    }
    expect(runs).toBe(2);
  });

  it('is known again, each of several that came for one task at the same time [SEND-09]', async () => {
    const { id } = await engine.sendForTask(ASK);
    const messages = ['one', 'two', 'three'].map((text) => userMessage(text, { taskId: id }));
    await Promise.all(messages.map((message) => engine.send(message)));
    const before = (await engine.task(id)).history.length;
    await Promise.all(messages.map((message) => engine.send(message)));
    const { history } = await engine.task(id);
    expect(history).toHaveLength(before);
    expect(history.map(textOf).filter((text) => /one|two|three/.test(text))).toEqual(['one', 'two', 'three']);
  });

  it('is refused when the id stands for another message [SEND-09]', async () => {
    const message = userMessage(STRING);
    await engine.send(message);
    const other = userMessage(OBJECT, { messageId: message.messageId });
    await expect(engine.send(other)).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
  });
});
