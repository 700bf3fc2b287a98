import { type Message, Role, type Task, TaskState, testTurn, textOf, userMessage } from '@a2a/a2a-core';
import { AgentEngine } from '../../../../../test/support/agent-engine.js';
import { IncidentAnalystAgent } from './incident-analyst.agent.js';
import { IncidentAnalystModule } from './incident-analyst.module.js';
import { incident } from './fixtures/incident-files.js';

const LOGS = incident('deadlock-postgres');

describe('The choice of a skill', () => {
  it.each([
    ['only the timeline', [], 'timeline'],
    ['just the errors', [], 'group-errors'],
    [LOGS, [], undefined],
    [LOGS, ['text/csv'], 'group-errors'],
  ])('follows the words and modes of the caller (%#)', (message, acceptedOutputModes, skill) => {
    expect(new IncidentAnalystAgent().chooseSkill(testTurn({ message, acceptedOutputModes }))).toBe(skill);
  });
});

describe('incident-analyst on the real engine', () => {
  let engine: AgentEngine;
  beforeAll(async () => {
    engine = await AgentEngine.start('incident-analyst', [IncidentAnalystModule]);
  });
  afterAll(() => engine.stop());

  it('streams progress, then artifacts, then the end [STRM-03] [DLV-07]', async () => {
    const events = await engine.stream(LOGS.repeat(1_200));
    const kinds = events.map(({ payload }) => payload.case);
    expect(kinds[0]).toBe('task');
    expect(kinds.filter((kind) => kind === 'artifactUpdate')).toHaveLength(3);
    expect(kinds.lastIndexOf('artifactUpdate')).toBeLessThan(kinds.lastIndexOf('statusUpdate'));
    expect(kinds.filter((kind) => kind === 'statusUpdate').length).toBeGreaterThan(4);
  });

  it('goes on with the same task once it has the logs [TURN-12]', async () => {
    const asked = await engine.run('hello');
    expect(asked.status?.state).toBe(TaskState.INPUT_REQUIRED);
    const done = await engine.run(reply(asked, LOGS));
    expect(done).toMatchObject({ id: asked.id, status: { state: TaskState.COMPLETED } });
    expect(done.artifacts.map(({ artifactId }) => artifactId)).toEqual(['analysis', 'timeline', 'errors']);
  });

  it('answers "only the timeline" in the same conversation from its last input [TURN-13]', async () => {
    const first = await engine.run(LOGS);
    const second = await engine.run(userMessage('only the timeline', { contextId: first.contextId }));
    expect(second.id).not.toBe(first.id);
    expect(second.artifacts.map(({ artifactId }) => artifactId)).toEqual(['timeline']);
    expect(textOf(second.artifacts[0])).toContain('deadlock detected');
  });

  it('answers others while it reads a mebibyte', async () => {
    const long = engine.begin(LOGS.repeat(1_200));
    const short = await engine.run('10:00:01 ERROR payments: connection to db-1 refused');
    expect(short.status?.state).toBe(TaskState.COMPLETED);
    const { id } = await long;
    expect((await engine.get(id)).status?.state).toBe(TaskState.WORKING);
    const { rest } = await engine.subscribe(id);
    await rest;
    expect((await engine.get(id)).status?.state).toBe(TaskState.COMPLETED);
  });

  it('stops when it is cancelled [CANC-01]', async () => {
    const { id } = await engine.begin(LOGS.repeat(1_200));
    expect((await engine.cancel(id)).status?.state).toBe(TaskState.CANCELED);
  });
});

function reply({ id, contextId }: Task, text: string): Message {
  const message = userMessage(text, { taskId: id, contextId });
  expect(message.role).toBe(Role.USER);
  return message;
}
