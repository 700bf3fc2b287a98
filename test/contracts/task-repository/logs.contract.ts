import {
  agentMessage,
  dataPart,
  partData,
  streamResponse,
  type TaskChange,
  TaskEvent,
  type TaskRepository,
  TaskState,
} from '@a2a/a2a-core';
import { type JsonValue } from '@bufbuild/protobuf';
import { creation, growth, move, newScope, taskOf, textsOf } from '../task-changes.js';
import { type MakeTaskRepository } from './make.js';

/** Texts that have broken a store somewhere. */
const NASTY = [
  "Robert'); DROP TABLE a2a_task;--",
  '100 % _ * ? [a-z]',
  '"double" \'single\' `back` \\ \\u0000 \\0',
  'größe 日本語 🦊 \u202e\u200b',
  '__proto__',
  'constructor',
  '$1 :name @x ?1 {}',
  ' leading and trailing ',
  'a/b?c#d&e=f',
  'U+0000 \0 in the middle',
  'lone \ud800 surrogate',
  'another \udfff surrogate',
  'x'.repeat(256),
];

export function describeLogs(make: MakeTaskRepository): void {
  describe('logs', () => {
    let tasks: TaskRepository;
    beforeAll(async () => {
      tasks = await make();
    });

    const versions = (events: readonly TaskEvent[]): number[] => events.map(({ version }) => version);

    it('reads no further than what a reader does not have', async () => {
      const scope = newScope();
      await tasks.commit(scope, creation('t'), 0);
      await tasks.commit(scope, growth('t', 1, ['a', 'b', 'c', 'd']), 1);
      expect(versions((await tasks.find(scope, 't', 3))?.events ?? [])).toEqual([4, 5]);
      expect(versions((await tasks.find(scope, 't', 5))?.events ?? [])).toEqual([]);
      expect(versions(await tasks.readEvents(scope, 't', 1, 2))).toEqual([2, 3]);
      expect(versions(await tasks.readEvents(scope, 't', 4, 100))).toEqual([5]);
      await expect(tasks.readEvents(scope, 't', 5, 100)).resolves.toEqual([]);
      await expect(tasks.readEvents(scope, 'absent', 0, 100)).resolves.toEqual([]);
    });

    it('begins with the newest snapshot for a reader older than that, and keeps every event', async () => {
      const scope = newScope();
      await tasks.commit(scope, creation('t'), 0);
      await tasks.commit(scope, growth('t', 1, ['a', 'b'], { snapshot: taskOf('t', 'old') }), 1);
      await tasks.commit(scope, growth('t', 3, ['c'], { snapshot: taskOf('t', 'new') }), 3);
      await tasks.commit(scope, growth('t', 4, ['d', 'e']), 4);

      const fromStart = await tasks.find(scope, 't');
      expect(fromStart?.snapshot).toMatchObject({ version: 4, task: { id: 't', contextId: 'new' } });
      expect(versions(fromStart?.events ?? [])).toEqual([5, 6]);
      const fromBehind = await tasks.find(scope, 't', 4);
      expect(fromBehind?.snapshot).toBeUndefined();
      expect(versions(fromBehind?.events ?? [])).toEqual([5, 6]);
      expect(versions(await tasks.readEvents(scope, 't', 0, 100))).toEqual([1, 2, 3, 4, 5, 6]);
    });

    it('finds many tasks at once, each from what its reader knows, and leaves out what is absent', async () => {
      const scope = newScope();
      for (const id of ['a', 'b', 'c']) {
        await tasks.commit(scope, creation(id), 0);
        await tasks.commit(scope, growth(id, 1, [`1${id}`, `2${id}`]), 1);
      }
      const wanted = [
        { taskId: 'a', knownVersion: 0 },
        { taskId: 'b', knownVersion: 2 },
        { taskId: 'absent', knownVersion: 0 },
        { taskId: 'c', knownVersion: 3 },
      ];
      const found = await tasks.findMany(scope, wanted);
      expect(Object.fromEntries(found.map(({ head, events }) => [head.taskId, versions(events)]))).toEqual({ a: [1, 2, 3], b: [3], c: [] });
      await expect(tasks.findMany(scope, [])).resolves.toEqual([]);
    });

    it('gives the head alone to a reader that says it knows everything there can be', async () => {
      const scope = newScope();
      await tasks.commit(scope, creation('t'), 0);
      await tasks.commit(scope, growth('t', 1, ['x'], { snapshot: taskOf('t') }), 1);
      const [found] = await tasks.findMany(scope, [{ taskId: 't', knownVersion: Number.MAX_SAFE_INTEGER }]);
      expect(found).toMatchObject({ head: { taskId: 't', version: 2 }, events: [] });
      expect(found?.snapshot).toBeUndefined();
    });

    it.each(NASTY)('keeps the id %j apart from every other', async (id) => {
      const scope = newScope({ tenant: id, owner: id });
      const receipt = { messageId: id, digest: 'd' };
      const { events } = creation('t');
      await tasks.commit(scope, creation(id, { events, contextId: id, receipt, memos: new Map([[id, id]]) }), 0);
      for (const other of NASTY) if (other !== id) await expect(tasks.find(scope, other)).resolves.toBeUndefined();
      expect((await tasks.find(scope, id))?.head).toMatchObject({ taskId: id, contextId: id });
      expect((await tasks.list(scope, { contextId: id, limit: 5 })).heads).toMatchObject([{ taskId: id, contextId: id }]);
      await expect(tasks.findMemo(scope, id, id)).resolves.toBe(id);
      await expect(tasks.findReceived(scope, id)).resolves.toMatchObject({ messageId: id, taskId: id });
      const page = await tasks.list(scope, { limit: 5, after: { statusAtMs: 1_000, taskId: id } });
      expect(page.heads).toEqual([]);
    });

    it('gives back the JSON it was given: U+0000, lone surrogates, __proto__ and numbers as they are', async () => {
      const scope = newScope();
      const value = JSON.parse('{"nul":"a\\u0000b","lone":"\\ud800","__proto__":{"x":1},"n":1.5e300,"deep":[[[null]]],"":""}') as JsonValue;
      const message = agentMessage([dataPart(value)]);
      const change: TaskChange = {
        ...creation('t'),
        events: [new TaskEvent(1, streamResponse(message))],
        memos: new Map([['step', value]]),
      };
      await tasks.commit(scope, change, 0);
      const [event] = await tasks.readEvents(scope, 't', 0, 1);
      const part = event?.event.payload.case === 'message' ? event.event.payload.value.parts[0] : undefined;
      expect(JSON.stringify(part && partData(part))).toBe(JSON.stringify(value));
      expect(JSON.stringify(await tasks.findMemo(scope, 't', 'step'))).toBe(JSON.stringify(value));
      expect(({} as { x?: number }).x).toBeUndefined();
    });

    it('keeps an event of a megabyte', async () => {
      const scope = newScope();
      const text = 'é"\\\n'.repeat(250_000);
      await tasks.commit(scope, creation('t'), 0);
      await tasks.commit(scope, growth('t', 1, [text]), 1);
      expect(textsOf(await tasks.readEvents(scope, 't', 1, 1))).toEqual([text]);
    });

    it('keeps memos with the task, and the last one of a step', async () => {
      const scope = newScope();
      await tasks.commit(
        scope,
        creation('t', {
          memos: new Map<string, JsonValue>([
            ['null', null],
            ['text', 'one'],
          ]),
        }),
        0,
      );
      await tasks.commit(scope, growth('t', 1, ['a'], { memos: new Map([['text', 'two']]) }), 1);
      await tasks.commit(scope, creation('other'), 0);
      await expect(tasks.findMemo(scope, 't', 'null')).resolves.toBeNull();
      await expect(tasks.findMemo(scope, 't', 'text')).resolves.toBe('two');
      await expect(tasks.findMemo(scope, 't', 'never')).resolves.toBeUndefined();
      await expect(tasks.findMemo(scope, 'other', 'text')).resolves.toBeUndefined();
      await expect(tasks.findMemo(scope, 'absent', 'text')).resolves.toBeUndefined();
    });

    it('reads back 2,000 events of one task, and only the newest for a reader that is up to date', async () => {
      const scope = newScope();
      await tasks.commit(scope, creation('t'), 0);
      for (let version = 1; version < 2_000; version++) {
        const snapshot = version % 500 === 499 ? taskOf('t') : undefined;
        await tasks.commit(scope, growth('t', version, [`${version}`], { snapshot }), version);
      }
      await tasks.commit(scope, move('t', 2_000, TaskState.COMPLETED), 2_000);
      const all = await tasks.readEvents(scope, 't', 0, 5_000);
      expect(versions(all)).toEqual(Array.from({ length: 2_001 }, (_, index) => index + 1));
      const stored = await tasks.find(scope, 't');
      expect([stored?.snapshot?.version, stored?.events.length]).toEqual([2_000, 1]);
      expect((await tasks.find(scope, 't', 2_000))?.events).toHaveLength(1);
    });
  });
}
