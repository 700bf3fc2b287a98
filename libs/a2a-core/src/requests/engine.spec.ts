import { once } from 'node:events';
import { create, type JsonObject } from '@bufbuild/protobuf';
import {
  BadRequestException,
  type CallHandler,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type PipeTransform,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { Agent } from '../agents/agent.decorator.js';
import { AgentSkill, type Skill } from '../agents/agent-skill.decorator.js';
import { ANONYMOUS } from '../call/principal.js';
import { CurrentTurn, MessageData } from '../agents/skill-params.decorator.js';
import { AgentExecutor } from '../execution/agent-executor.js';
import { TaskResumer } from '../execution/task-resumer.js';
import { type TurnContext } from '../execution/turn-context.js';
import {
  CancelTaskRequestSchema,
  GetTaskRequestSchema,
  ListTasksRequestSchema,
  type StreamResponse,
  SubscribeToTaskRequestSchema,
  type Task,
  TaskState,
} from '../gen/a2a_pb.js';
import { type AgentEvent, artifactUpdate, statusUpdate } from '../protocol/events.js';
import { artifact, dataPart, partData, textOf, textPart, userMessage } from '../protocol/messages.js';
import { collect, incomingCall, TestEngine } from '../testing/test-engine.js';

type Script = (turn: TurnContext) => unknown;
const scripts = new Map<string, Script>();
const SKILL = { name: 'Scripted', description: 'Does what a spec says', tags: ['test'] };

/** Runs the script that the message's text names. */
@AgentSkill({ id: 'scripted', ...SKILL })
class ScriptedSkill implements Skill {
  execute(turn: TurnContext) {
    const run = scripts.get(turn.text) ?? (turn.task ? scripts.get(textOf(turn.task.history[0])) : undefined);
    if (!run) throw new Error(`No script ${turn.text}`);
    return run(turn) as string;
  }
}

@Agent({ id: 'scripted', name: 'Scripted', description: 'Does what a spec says', version: '1.0.0' })
class ScriptedAgent {}

function script(name: string, run: Script): string {
  scripts.set(name, run);
  return name;
}

const stateOf = (task: Task | undefined) => TaskState[task?.status?.state ?? 0];
const brief = ({ payload }: StreamResponse): string => {
  switch (payload.case) {
    case 'task':
      return `task ${stateOf(payload.value)}`;
    case 'statusUpdate':
      return `status ${TaskState[payload.value.status?.state ?? 0]}`;
    case 'artifactUpdate':
      return `artifact ${textOf(payload.value.artifact)}${payload.value.append ? '+' : ''}${payload.value.lastChunk ? '.' : ''}`;
    default:
      return String(payload.case);
  }
};

describe('the engine', () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await TestEngine.start([[ScriptedAgent, ScriptedSkill]], { taskAfterMs: 200, cancelTimeoutMs: 300 });
  });
  afterAll(() => engine.close());

  const get = async (id: string, historyLength?: number) =>
    (await engine.handler.getTask(create(GetTaskRequestSchema, { id, historyLength }), incomingCall())).response;
  const cancel = async (id: string) => (await engine.handler.cancelTask(create(CancelTaskRequestSchema, { id }), incomingCall())).response;
  const subscribe = async (id: string, lastEventVersion?: number) =>
    (await engine.handler.subscribeToTask(create(SubscribeToTaskRequestSchema, { id }), incomingCall({ lastEventVersion }))).response;

  describe('short forms of a skill', () => {
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
            await new Promise((resolve) => setTimeout(resolve, 20));
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
      expect(textOf((await get(cut.id)).status?.message)).toBe('\ufffd');
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
  });

  it('makes a task of an answer that takes longer than taskAfterMs', async () => {
    const { payload } = await engine.send(
      script('slow', async () => {
        await new Promise((resolve) => setTimeout(resolve, 400));
        return 'late';
      }),
      { configuration: { returnImmediately: true } },
    );
    expect(payload.case).toBe('task');
    const task = payload.value as Task;
    expect(stateOf(task)).toBe('SUBMITTED');
    const events = await collect(await subscribe(task.id));
    expect(events.map(brief)).toEqual(['task SUBMITTED', 'status COMPLETED']);
    expect(textOf((await get(task.id)).status?.message)).toBe('late');
  });

  describe('what an agent must not do', () => {
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
      expect(stateOf(await get(task.id))).toBe(state);
    });

    it('nor may a client nest JSON deeper than every wire can carry [DATA-02]', async () => {
      const deep = JSON.parse(`${'{"k":'.repeat(31)}1${'}'.repeat(31)}`) as JsonObject;
      const refused = { reason: 'INVALID_PARAMS', details: { fieldViolations: [expect.objectContaining({ field: 'message.metadata' })] } };
      await expect(engine.send(userMessage('string', { metadata: deep }))).rejects.toMatchObject(refused);
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

  it('appends chunks and merges their metadata [DLV-09]', async () => {
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

  describe('several turns', () => {
    it('goes on with a task that asked, with its history [TURN-10, EXEC-01]', async () => {
      const name = script('ask', async function* (turn) {
        if (!turn.task) yield turn.requireInput('Which colour?');
        else yield* [turn.artifact(`painted ${turn.text}`), turn.completed()];
      });
      const asked = await engine.sendForTask(name);
      expect(stateOf(asked)).toBe('INPUT_REQUIRED');
      scripts.set('blue', scripts.get('ask') as Script);
      const done = await engine.sendForTask(userMessage('blue', { taskId: asked.id }));
      expect(stateOf(done)).toBe('COMPLETED');
      expect(textOf(done.artifacts[0])).toBe('painted blue');
      expect(done.history.map(textOf)).toEqual(['ask', 'Which colour?', 'blue']);
      expect(done.contextId).toBe(asked.contextId);
    });

    it('runs the turns of one task one after the other [TURN-12]', async () => {
      let running = 0;
      let most = 0;
      const name = script('serial', async function* (turn) {
        running += 1;
        most = Math.max(most, running);
        yield turn.working();
        await new Promise((resolve) => setTimeout(resolve, 30));
        running -= 1;
        yield turn.requireInput('more?');
      });
      scripts.set('next', scripts.get('serial') as Script);
      const first = await engine.sendForTask(name, { configuration: { returnImmediately: true } });
      const rest = await Promise.all([1, 2, 3].map(() => engine.sendForTask(userMessage('next', { taskId: first.id }))));
      expect(most).toBe(1);
      expect(rest.map(stateOf)).toEqual(['INPUT_REQUIRED', 'INPUT_REQUIRED', 'INPUT_REQUIRED']);
      expect((await get(first.id)).history.map(textOf).filter((text) => text === 'next')).toHaveLength(3);
    });

    it('stay serial when a message comes in the very moment a turn ends [TURN-12]', async () => {
      let running = 0;
      const overlaps: number[] = [];
      const name = script('edge', async function* (turn) {
        running += 1;
        if (running > 1) overlaps.push(running);
        await new Promise(setImmediate);
        yield turn.requireInput('more?');
        await Promise.resolve();
        running -= 1;
      });
      scripts.set('more', scripts.get(name) as Script);
      const { id } = await engine.sendForTask(name);
      for (let round = 0; round < 40; round++) {
        const ticks = round % 8;
        const sending = engine.sendForTask(userMessage('more', { taskId: id }), { configuration: { returnImmediately: true } });
        for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
        await Promise.all([sending, engine.sendForTask(userMessage('more', { taskId: id }))]);
      }
      expect(overlaps).toEqual([]);
      expect((await get(id)).history.map(textOf).filter((text) => text === 'more')).toHaveLength(80);
    });

    it('answers with the task as the turn settled it, though the next message has moved it on [EXEC-01]', async () => {
      let next: Promise<Task> | undefined;
      const name = script('hurried', async function* (turn) {
        const goOn = userMessage('slow', { taskId: turn.taskId });
        // Behind what this turn writes now, and before that is committed.
        process.nextTick(() => (next = engine.sendForTask(goOn, { configuration: { returnImmediately: true } })));
        yield turn.requireInput('more?');
      });
      script('slow', async function* (turn) {
        yield turn.working();
        await new Promise((resolve) => setTimeout(resolve, 100));
      });
      const { id } = await engine.sendForTask('ask');
      const answered = await engine.sendForTask(userMessage(name, { taskId: id }));
      expect([stateOf(answered), answered.status?.message && textOf(answered.status.message)]).toEqual(['INPUT_REQUIRED', 'more?']);
      expect(next && stateOf(await next)).toBe('SUBMITTED');
    });

    it('refuses a message for a task that has ended, in both sends [SEND-06]', async () => {
      const { id } = await engine.sendForTask(script('object', async () => ({ total: 3 })));
      const again = () => userMessage('object', { taskId: id });
      await expect(engine.send(again())).rejects.toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
      await expect(engine.stream(again())).rejects.toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
    });

    it('does not know a task that is not the caller’s [SEND-05]', async () => {
      await expect(engine.send(userMessage('string', { taskId: 'unknown' }))).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
    });

    it('refuses a context that is not the task’s [TURN-11]', async () => {
      const { id } = await engine.sendForTask('ask');
      await expect(engine.send(userMessage('blue', { taskId: id, contextId: 'other' }))).rejects.toMatchObject({
        reason: 'INVALID_PARAMS',
      });
    });
  });

  describe('cancel', () => {
    it('aborts the turn and ends as CANCELED, again and again [CANC-03, CANC-07]', async () => {
      let aborted = false;
      const name = script('until cancelled', async function* (turn) {
        yield turn.working();
        await once(turn.signal, 'abort');
        aborted = true;
      });
      const { id } = await engine.sendForTask(name, { configuration: { returnImmediately: true } });
      expect(stateOf(await cancel(id))).toBe('CANCELED');
      expect(aborted).toBe(true);
      expect(stateOf(await cancel(id))).toBe('CANCELED');
    });

    it('does not wait for an agent that ignores it, and drops what it says later', async () => {
      let finished: () => void = () => undefined;
      const end = new Promise<void>((resolve) => (finished = resolve));
      const name = script('stubborn', async function* (turn) {
        yield turn.working();
        await new Promise((resolve) => setTimeout(resolve, 500));
        yield turn.artifact('too late');
        yield turn.completed();
        finished();
      });
      const { id } = await engine.sendForTask(name, { configuration: { returnImmediately: true } });
      expect(stateOf(await cancel(id))).toBe('CANCELED');
      await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 700))]);
      const task = await get(id);
      expect(stateOf(task)).toBe('CANCELED');
      expect(task.artifacts).toEqual([]);
    });

    it('refuses a task that has ended otherwise [CANC-02]', async () => {
      const { id } = await engine.sendForTask('object');
      await expect(cancel(id)).rejects.toMatchObject({ reason: 'TASK_NOT_CANCELABLE' });
    });

    it('cancels a task that waits for its client', async () => {
      const { id } = await engine.sendForTask('ask');
      expect(stateOf(await cancel(id))).toBe('CANCELED');
    });
  });

  describe('streams', () => {
    it('give every reader the same events in the same order, whoever leaves [DLV-03…DLV-05]', async () => {
      let go: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => (go = resolve));
      const name = script('gated', async function* (turn) {
        yield turn.working();
        await gate;
        const text = artifact('0');
        for (let index = 0; index < 50; index++) {
          yield turn.artifactChunk({ ...text, parts: [textPart(String(index))] }, { append: index > 0 });
          if (index % 10 === 0) await new Promise(setImmediate);
        }
      });
      const { id } = await engine.sendForTask(name, { configuration: { returnImmediately: true } });
      const readers = await Promise.all([subscribe(id), subscribe(id)]);
      const leaving = (await subscribe(id))[Symbol.asyncIterator]();
      await leaving.next();
      await leaving.return?.();
      const seen = readers.map(collect);
      go();
      const [one, two] = await Promise.all(seen);
      expect(one?.map(brief)).toEqual(two?.map(brief));
      expect(one?.map(brief).slice(1)).toHaveLength(51 + (one?.map(brief).includes('status WORKING') ? 1 : 0));
      expect(one?.at(-1)?.payload.case).toBe('statusUpdate');
    });

    it('end with INPUT_REQUIRED of their turn and stay open on AUTH_REQUIRED [DLV-07]', async () => {
      const asking = await collect(await engine.stream('ask'));
      expect(asking.map(brief)).toEqual(['task SUBMITTED', 'status INPUT_REQUIRED']);
      const name = script('auth', async function* (turn) {
        yield turn.requireAuth('Sign in');
        await new Promise((resolve) => setTimeout(resolve, 30));
        yield* [turn.working(), turn.completed()];
      });
      const events = await collect(await engine.stream(name));
      expect(events.map(brief)).toEqual(['task SUBMITTED', 'status AUTH_REQUIRED', 'status WORKING', 'status COMPLETED']);
    });

    it('resume exactly behind the last event seen, also when the task has ended', async () => {
      const items: { version?: number; text: string }[] = [];
      for await (const { event, version } of await engine.stream('events')) items.push({ version, text: brief(event) });
      expect(items.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
      const { payload } = await engine.send('events');
      const id = (payload.value as Task).id;
      const rest = await collect(await subscribe(id, 2));
      expect(rest.map(brief)).toEqual(['artifact done.', 'status COMPLETED']);
      expect(await collect(await subscribe(id, 4))).toEqual([]);
      await expect(subscribe(id, 5)).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
      await expect(subscribe(id)).rejects.toMatchObject({ reason: 'UNSUPPORTED_OPERATION' });
    });

    it('let other work go on while an agent never awaits', async () => {
      const name = script('burst', async function* (turn) {
        const text = artifact('x');
        for (let index = 0; index < 5_000; index++) yield turn.artifactChunk({ ...text, parts: [textPart('x')] }, { append: index > 0 });
      });
      let ticks = 0;
      const timer = setInterval(() => (ticks += 1), 1);
      const events = await collect(await engine.stream(name));
      clearInterval(timer);
      expect(events).toHaveLength(5_002);
      expect(ticks).toBeGreaterThan(10);
    });
  });

  describe('resuming without a message', () => {
    it('goes on with a task that waits for an authorization [AUTHT-04]', async () => {
      const name = script('approval', async function* (turn) {
        if (turn.resumed) yield* [turn.working(), turn.artifact(String(turn.resumeMetadata['by'])), turn.completed()];
        else yield turn.requireAuth('Approve me');
      });
      const waiting = await engine.sendForTask(name);
      expect(stateOf(waiting)).toBe('AUTH_REQUIRED');
      const seen = collect(await subscribe(waiting.id));
      const scope = { agentId: 'scripted', tenant: '', owner: 'anonymous' };
      await engine.get(TaskResumer).resume({ scope, taskId: waiting.id }, { metadata: { by: 'boss' } });
      expect((await seen).map(brief)).toEqual(['task AUTH_REQUIRED', 'status WORKING', 'artifact boss.', 'status COMPLETED']);
    });

    it('finishes a detached task later [EXEC-01]', async () => {
      const name = script('detached', async function* (turn) {
        if (turn.resumed) {
          yield turn.completed('finished later');
        } else {
          yield turn.working();
          turn.detach();
          setTimeout(() => void engine.get(TaskResumer).resume(turn.ref), 50);
        }
      });
      const task = await engine.sendForTask(name);
      expect(stateOf(task)).toBe('COMPLETED');
      expect(textOf(task.status?.message)).toBe('finished later');
    });
  });

  describe('the same message again', () => {
    it('is answered from the first time, directly or with the task [SEND-09]', async () => {
      let runs = 0;
      const name = script('counted', async () => ({ run: ++runs }));
      const message = userMessage(name);
      const [first, second] = await Promise.all([engine.sendForTask(message), engine.sendForTask(message)]);
      const third = await engine.sendForTask(message);
      expect(new Set([first.id, second.id, third.id]).size).toBe(1);
      expect(runs).toBe(1);
      const direct = userMessage('string');
      expect(await engine.send(direct)).toEqual(await engine.send(direct));
    });

    it('is refused when the id stands for another message [SEND-09]', async () => {
      const message = userMessage('string');
      await engine.send(message);
      const other = userMessage('object', { messageId: message.messageId });
      await expect(engine.send(other)).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
    });
  });

  describe('history and lists', () => {
    it('limits history and tells 0 from unset [HIST-01, HIST-04]', async () => {
      const asked = await engine.sendForTask('ask');
      await engine.send(userMessage('blue', { taskId: asked.id }));
      expect((await get(asked.id)).history).toHaveLength(3);
      expect((await get(asked.id, 1)).history.map(textOf)).toEqual(['blue']);
      expect((await get(asked.id, 0)).history).toEqual([]);
      await expect(get(asked.id, -1)).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
    });

    it('pages newest first, bound to filters and caller [LIST-03, LIST-04]', async () => {
      const contextId = 'paged';
      for (let index = 0; index < 5; index++) await engine.send(userMessage('object', { contextId }));
      const list = async (init: object, call = incomingCall()) =>
        (await engine.handler.listTasks(create(ListTasksRequestSchema, { contextId, pageSize: 2, ...init }), call)).response;
      const ids: string[] = [];
      let pageToken = '';
      do {
        const page = await list({ pageToken });
        expect(page.totalSize).toBe(5);
        expect(page.tasks.every(({ artifacts }) => artifacts.length === 0)).toBe(true);
        ids.push(...page.tasks.map(({ id }) => id));
        pageToken = page.nextPageToken;
      } while (pageToken);
      expect(new Set(ids).size).toBe(5);
      const { nextPageToken } = await list({});
      await expect(list({ pageToken: nextPageToken, contextId: 'other' })).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
      await expect(list({ pageSize: 0 })).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
      await expect(list({ pageSize: 101 })).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
      expect((await list({ includeArtifacts: true })).tasks[0]?.artifacts).toHaveLength(1);
    });
  });

  it('refuses an unknown version first, then an undeclared capability [VER-06, CAP-07]', async () => {
    await expect(engine.send('string', {}, incomingCall({ headers: { 'a2a-version': '99.0' } }))).rejects.toMatchObject({
      reason: 'VERSION_NOT_SUPPORTED',
    });
    await expect(engine.send('string', {}, incomingCall({ headers: { 'a2a-version': '' } }))).rejects.toMatchObject({
      reason: 'VERSION_NOT_SUPPORTED',
    });
  });

  it('keeps a step’s result over turns [memo]', async () => {
    let made = 0;
    const name = script('memo', async function* (turn) {
      const value = await turn.memo('step', () => ++made);
      if (turn.task) yield turn.completed(String(value));
      else yield turn.requireInput(String(value));
    });
    const asked = await engine.sendForTask(name);
    scripts.set('again', scripts.get(name) as Script);
    const done = await engine.sendForTask(userMessage('again', { taskId: asked.id }));
    expect(textOf(done.status?.message)).toBe('1');
  });
});

describe('guards on skills', () => {
  @Injectable()
  class Nobody implements CanActivate {
    canActivate(): boolean {
      return false;
    }
  }
  @UseGuards(Nobody)
  @AgentSkill({ id: 'closed', ...SKILL })
  class ClosedSkill implements Skill {
    execute(): string {
      return 'open';
    }
  }
  @Agent({ id: 'closed', name: 'Closed', description: 'Lets nobody in', version: '1.0.0' })
  class ClosedAgent {}

  it('refuse before a task exists [B14]', async () => {
    const engine = await TestEngine.start([[ClosedAgent, ClosedSkill, Nobody]]);
    await expect(engine.send('x')).rejects.toMatchObject({ reason: 'PERMISSION_DENIED' });
    const { response } = await engine.handler.listTasks(create(ListTasksRequestSchema), incomingCall());
    expect(response.totalSize).toBe(0);
    await engine.close();
  });
});

describe('pipes, interceptors and filters on skills', () => {
  class Doubled implements PipeTransform<number, number> {
    transform(value: number): number {
      if (typeof value !== 'number') throw new BadRequestException('a number is wanted');
      return value * 2;
    }
  }
  class Wrapping implements NestInterceptor {
    intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
      return next.handle().pipe(map((value) => `${context.getType()}: ${String(value)}`));
    }
  }
  class Odd extends Error {}
  @Catch(Odd)
  class OddFilter implements ExceptionFilter {
    catch(): string {
      return 'caught';
    }
  }
  @UseInterceptors(Wrapping)
  @UseFilters(OddFilter)
  @AgentSkill({ id: 'piped', ...SKILL, inputModes: ['application/json', 'text/plain'] })
  class PipedSkill {
    execute(@MessageData(new Doubled()) doubled: number, @CurrentTurn() turn: TurnContext): string {
      if (doubled > 100) throw new Odd(turn.text);
      return String(doubled);
    }
  }
  @Agent({ id: 'piped', name: 'Piped', description: 'Goes through pipes', version: '1.0.0' })
  class PipedAgent {}

  let engine: TestEngine;
  beforeAll(async () => (engine = await TestEngine.start([[PipedAgent, PipedSkill]])));
  afterAll(() => engine.close());
  const replyTo = async (data: number | string) => textOf((await engine.send(userMessage(dataPart(data)))).payload.value as never);

  it('apply as they do on controllers', async () => {
    expect(await replyTo(21)).toBe('a2a: 42');
    expect(await replyTo(51)).toBe('caught');
    await expect(replyTo('x')).rejects.toMatchObject({ reason: 'INVALID_PARAMS', message: 'a number is wanted' });
  });
});

describe('what one caller may have under way', () => {
  @Agent({
    id: 'capped',
    name: 'Capped',
    description: 'Takes one at a time',
    version: '1.0.0',
    caps: { blockingSends: 1, streamsPerTask: 1, streamsPerCaller: 2 },
  })
  class CappedAgent extends AgentExecutor {
    async *execute(turn: TurnContext): AsyncIterable<AgentEvent> {
      yield turn.working();
      await once(turn.signal, 'abort');
    }
  }
  const user = (owner: string) => ({ ...ANONYMOUS, authenticated: true, owner });
  const request = (id: string) => create(SubscribeToTaskRequestSchema, { id });

  it('is capped, caller by caller, and given back when it ends [D9, D11]', async () => {
    const engine = await TestEngine.start([[CappedAgent]]);
    const ada = () => incomingCall({ principal: user('ada') });
    const begin = async () => (await engine.sendForTask('x', { configuration: { returnImmediately: true } }, ada())).id;
    const [first, second] = [await begin(), await begin()];
    const waiting = engine.send('x', {}, ada());
    await expect(engine.send('x', {}, ada())).rejects.toMatchObject({ reason: 'RATE_LIMITED', details: { retryAfterSeconds: 1 } });
    const stream = (await engine.handler.subscribeToTask(request(first), ada())).response[Symbol.asyncIterator]();
    await stream.next();
    await expect(engine.handler.subscribeToTask(request(first), ada())).rejects.toMatchObject({ reason: 'RATE_LIMITED' });
    const left = new AbortController();
    await engine.handler.subscribeToTask(request(second), incomingCall({ principal: user('ada'), signal: left.signal }));
    await expect(engine.stream('x', {}, ada())).rejects.toMatchObject({ reason: 'RATE_LIMITED' });
    left.abort();
    await stream.return?.();
    await (await engine.handler.subscribeToTask(request(first), ada())).response[Symbol.asyncIterator]().return?.();
    const eve = engine.send('x', {}, incomingCall({ principal: user('eve') }));
    await new Promise(setImmediate);
    const { response } = await engine.handler.listTasks(create(ListTasksRequestSchema), ada());
    for (const { id } of response.tasks) await engine.handler.cancelTask(create(CancelTaskRequestSchema, { id }), ada());
    await waiting;
    const mine = await engine.handler.listTasks(create(ListTasksRequestSchema), incomingCall({ principal: user('eve') }));
    for (const { id } of mine.response.tasks) {
      await engine.handler.cancelTask(create(CancelTaskRequestSchema, { id }), incomingCall({ principal: user('eve') }));
    }
    expect((await eve).payload.case).toBe('task');
    await engine.close();
  });
});

describe('an agent with its own executor', () => {
  @Agent({ id: 'own', name: 'Own', description: 'Runs itself', version: '1.0.0' })
  class OwnAgent extends AgentExecutor {
    async *execute(turn: TurnContext): AsyncIterable<AgentEvent> {
      yield turn.working();
      await once(turn.signal, 'abort');
    }
    override async *cancel(turn: TurnContext): AsyncIterable<AgentEvent> {
      yield turn.canceled('bye');
    }
  }

  it('has the last word of a cancel, and a drain fails what does not end [CANC-07]', async () => {
    const engine = await TestEngine.start([[OwnAgent]], { drainTimeoutMs: 20 });
    const first = await engine.sendForTask('x', { configuration: { returnImmediately: true } });
    const { response } = await engine.handler.cancelTask(create(CancelTaskRequestSchema, { id: first.id }), incomingCall());
    expect(textOf(response.status?.message)).toBe('bye');
    const second = await engine.sendForTask('y', { configuration: { returnImmediately: true } });
    const seen = collect(
      (await engine.handler.subscribeToTask(create(SubscribeToTaskRequestSchema, { id: second.id }), incomingCall())).response,
    );
    await engine.close();
    expect((await seen).map(brief).at(-1)).toBe('status FAILED');
    await expect(engine.send('z')).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  });
});
