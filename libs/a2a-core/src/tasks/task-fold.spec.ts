import { create } from '@bufbuild/protobuf';
import { type Task, TaskSchema, TaskState } from '../gen/a2a_pb.js';
import { artifactUpdate, statusUpdate, streamResponse } from '../protocol/events.js';
import { agentMessage, artifact, textOf, userMessage } from '../protocol/messages.js';
import { TaskEvent } from './task-event.js';
import { TaskFold, withHistory } from './task-fold.js';

const IDS = { taskId: 't', contextId: 'c' };
const SUBMITTED = create(TaskSchema, { id: 't', contextId: 'c', status: { state: TaskState.SUBMITTED }, history: [userMessage('first')] });

function foldOf(...payloads: Parameters<typeof streamResponse>[0][]): TaskFold {
  return TaskFold.from([SUBMITTED, ...payloads].map((payload, index) => new TaskEvent(index + 1, streamResponse(payload))));
}

const status = (state: TaskState, text?: string) => statusUpdate(IDS, state, { message: text ? agentMessage(text) : undefined });
const chunk = (artifactId: string, text: string, append: boolean) => artifactUpdate(IDS, artifact(text, { artifactId }), { append });
const artifactsOf = ({ artifacts }: Task) => artifacts.map((one) => `${one.artifactId}: ${textOf(one)}`);

describe('folding a log', () => {
  it('moves the message of a status into the history when the next one replaces it, and not before [A-39]', () => {
    const asked = foldOf(status(TaskState.INPUT_REQUIRED, 'which?')).share();
    expect(asked.history.map(textOf)).toEqual(['first']);
    expect(textOf(asked.status?.message)).toBe('which?');
    const answered = foldOf(status(TaskState.INPUT_REQUIRED, 'which?'), status(TaskState.SUBMITTED), userMessage('blue')).share();
    expect(answered.history.map(textOf)).toEqual(['first', 'which?', 'blue']);
  });

  it('appends chunks, replaces artifacts, and takes an append to an unknown id as new [DLV-09]', () => {
    const task = foldOf(chunk('a', '1', false), chunk('a', '2', true), chunk('b', 'x', true), chunk('b', 'y', false)).share();
    expect(artifactsOf(task)).toEqual(['a: 1\n2', 'b: y']);
  });

  it('never changes what it handed out', () => {
    const fold = foldOf(status(TaskState.WORKING, 'busy'), chunk('a', '1', false));
    const before = fold.share();
    const copy = structuredClone(before);
    fold.apply(new TaskEvent(4, streamResponse(chunk('a', '2', true))));
    fold.apply(new TaskEvent(5, streamResponse(status(TaskState.COMPLETED))));
    expect(before).toEqual(copy);
    expect(artifactsOf(fold.share())).toEqual(['a: 1\n2']);
    expect(fold.version).toBe(5);
  });

  it('never changes the events it read', () => {
    const events = [SUBMITTED, chunk('a', '1', false), chunk('a', '2', true)].map(
      (one, index) => new TaskEvent(index + 1, streamResponse(one)),
    );
    const copies = structuredClone(events.map(({ event }) => event));
    TaskFold.from(events).apply(new TaskEvent(4, streamResponse(chunk('a', '3', true))));
    expect(events.map(({ event }) => event)).toEqual(copies);
  });

  it('does not merge metadata into a prototype', () => {
    const poisoned = artifactUpdate(
      IDS,
      artifact('x', { artifactId: 'a', metadata: JSON.parse('{"__proto__": {"polluted": true}}') as never }),
      { append: true },
    );
    const task = foldOf(chunk('a', '1', false), poisoned).share();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.hasOwn(task.artifacts[0]?.metadata ?? {}, '__proto__')).toBe(true);
  });

  it('wants the task as the first event', () => {
    expect(() => TaskFold.from([new TaskEvent(1, streamResponse(status(TaskState.WORKING)))])).toThrow('begins with the task');
  });
});

describe('limiting history', () => {
  const task = create(TaskSchema, { history: ['1', '2', '3'].map((text) => userMessage(text, { messageId: text })) });
  it.each([
    [undefined, ['1', '2', '3']],
    [5, ['1', '2', '3']],
    [2, ['2', '3']],
    [0, []],
  ])('to %s keeps the newest messages, in order [HIST-01, HIST-05]', (length, kept) => {
    expect(withHistory(task, length).history.map(({ messageId }) => messageId)).toEqual(kept);
  });

  it('leaves the task itself alone', () => {
    withHistory(task, 0);
    expect(task.history).toHaveLength(3);
  });
});
