import { create } from '@bufbuild/protobuf';
import { ListTasksRequestSchema } from '../gen/a2a_pb.js';
import { textOf, userMessage } from '../protocol/messages.js';
import { script, startScripted } from '../testing/scripted-agent.js';
import { incomingCall, type TestEngine } from '../testing/test-engine.js';

const OBJECT = script('object', async () => ({ total: 3 }));
const ASK = script('ask', async (turn) => (turn.task ? turn.completed() : turn.requireInput('Which colour?')));

describe('GetTask and ListTasks', () => {
  let engine: TestEngine;
  beforeAll(async () => ({ engine } = await startScripted()));
  afterAll(() => engine.close());

  it('limits history and tells 0 from unset [HIST-01, HIST-04]', async () => {
    const asked = await engine.sendForTask(ASK);
    await engine.send(userMessage('blue', { taskId: asked.id }));
    expect((await engine.task(asked.id)).history).toHaveLength(3);
    expect((await engine.task(asked.id, 1)).history.map(textOf)).toEqual(['blue']);
    expect((await engine.task(asked.id, 0)).history).toEqual([]);
    await expect(engine.task(asked.id, -1)).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
  });

  it('pages newest first, bound to filters and caller [LIST-03, LIST-04]', async () => {
    const contextId = 'paged';
    for (let index = 0; index < 5; index++) await engine.send(userMessage(OBJECT, { contextId }));
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
