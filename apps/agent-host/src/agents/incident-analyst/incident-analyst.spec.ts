import {
  type AgentEvent,
  type Artifact,
  type Message,
  Role,
  type Task,
  TaskSchema,
  TaskState,
  type TestTurnFacts,
  dataPart,
  partData,
  rawPart,
  testTurn,
  textOf,
  textPart,
  urlPart,
  userMessage,
} from '@a2a/a2a-core';
import { create } from '@bufbuild/protobuf';
import { AgentEngine } from '../../../../../test/support/agent-engine.js';
import { incident } from './fixtures/incident-files.js';
import { IncidentAnalystAgent } from './incident-analyst.agent.js';
import { IncidentAnalystModule } from './incident-analyst.module.js';
import { AnalyzeIncidentSkill } from './skills/analyze-incident.skill.js';
import { GroupErrorsSkill } from './skills/group-errors.skill.js';
import { TimelineSkill } from './skills/timeline.skill.js';

type Skill = AnalyzeIncidentSkill | GroupErrorsSkill | TimelineSkill;

interface Answer {
  readonly states: readonly (TaskState | undefined)[];
  readonly artifacts: readonly Artifact[];
  readonly said: string;
}

async function run(skill: Skill, facts: TestTurnFacts): Promise<Answer> {
  const events: AgentEvent[] = [];
  for await (const event of skill.execute(testTurn(facts))) events.push(event);
  const statuses = events.flatMap((event) => (event.$typeName === 'lf.a2a.v1.TaskStatusUpdateEvent' ? [event.status] : []));
  return {
    states: statuses.map((status) => status?.state),
    artifacts: events.flatMap((event) =>
      event.$typeName === 'lf.a2a.v1.TaskArtifactUpdateEvent' && event.artifact ? [event.artifact] : [],
    ),
    said: textOf(statuses.at(-1)?.message),
  };
}

function modesOf({ artifacts }: Answer): string[] {
  return artifacts.map(({ artifactId, parts }) => `${artifactId} ${parts[0]?.mediaType}`);
}

const analyze = new AnalyzeIncidentSkill();
const LOGS = incident('deadlock-postgres');

describe('analyze-incident', () => {
  it('answers with an analysis, a timeline and data, and one sentence [STRM-03]', async () => {
    const answer = await run(analyze, { message: LOGS });
    expect(modesOf(answer)).toEqual(['analysis text/markdown', 'timeline text/markdown', 'errors application/json']);
    expect(answer.states[0]).toBe(TaskState.WORKING);
    expect(answer.states.at(-1)).toBe(TaskState.COMPLETED);
    expect(answer.said).toBe('Most likely cause: Deadlock or lock wait (line 2). 5 problems in 8 records.');
  });

  it('gives programs the suspects with score, reasons and lines', async () => {
    const { artifacts } = await run(analyze, { message: LOGS });
    const part = artifacts[2]?.parts[0];
    expect(part && partData(part)).toMatchObject({
      totals: { lines: 8, records: 8, problems: 5 },
      suspects: [
        { id: 'deadlock', kind: 'cause', confidence: 'strong', count: 3, first: { line: 2, time: '2026-11-30T06:05:10.114Z' } },
        {},
        {},
      ],
      groups: [
        { signature: 'deadlock detected', count: 1, severity: 'error', first: { line: 2 }, last: { line: 2 } },
        { signature: 'reservation failed: deadlock detected', count: 2, first: { line: 5 }, last: { line: 7 }, sources: ['stock'] },
        {},
        {},
      ],
    });
  });

  it.each([
    [['application/json'], ['timeline application/json', 'errors application/json']],
    [['text/plain'], ['analysis text/plain', 'timeline text/plain']],
    [['text/*'], ['analysis text/markdown', 'timeline text/markdown']],
  ])('makes what the caller can use: %j [SEND-10]', async (acceptedOutputModes, modes) => {
    expect(modesOf(await run(analyze, { message: LOGS, acceptedOutputModes }))).toEqual(modes);
  });

  it('takes inline files and data beside text, and numbers their lines on', async () => {
    const message = userMessage([
      textPart('Checkout fails:'),
      rawPart(new TextEncoder().encode(LOGS), { filename: 'db.log', mediaType: 'text/plain' }),
      dataPart([{ level: 'error', msg: 'no space left on device', time: '2026-11-30T05:00:00Z' }]),
    ]);
    const { artifacts } = await run(analyze, { message });
    const report = textOf(artifacts[0]);
    expect(report).toContain('Input: db.log, 8 lines. [L2–L9]');
    expect(report).toContain('Input: data, one record a line, 1 line. [L10]');
    expect(report).toContain('**Most likely cause: Disk full**');
  });

  it.each(['hello', 'Can you help me with an incident?', 'Why did the job at 14:05 fail?', 'The website is broken', ' '])(
    'asks for logs when there is nothing to analyse: %j [TURN-12]',
    async (message) => {
      const { states, artifacts, said } = await run(analyze, { message });
      expect(states.at(-1)).toBe(TaskState.INPUT_REQUIRED);
      expect(artifacts).toEqual([]);
      expect(said).toContain('Please send the failure report or the logs');
    },
  );

  it.each([
    'The checkout is down since 10:30, customers see error 500.',
    'Since the deploy at 9:30 the checkout is slow and some customers get an error 500 when they pay.',
    'Payments failed after we deployed v2 at 9:30.',
    'Yesterday at 14:05 orders-service crashed. It was restarted by hand at 14:20.',
    'Users cannot log in since 8am, the login page returns 503.',
    'Kafka consumer lag keeps growing since 12:00 UTC and orders are not processed',
    'The nightly backup did not run',
    'Around noon the search stopped working.',
    'Payments do not work since this morning',
    'Invoices are delayed since 8 am.',
    'The shop is down since 10:30. Why?',
    'Hello, our shop has been down since 14:00, can you help?',
    'Please check why orders are not processed since 9 am',
    'Why does the checkout return 503 since 9:30?',
    'Users are unable to upload files',
    'The login page returns 503.',
    'Search is unavailable',
  ])('takes plain words that say what failed and when: %j', async (message) => {
    const { states, artifacts } = await run(analyze, { message });
    expect(states.at(-1)).toBe(TaskState.COMPLETED);
    expect(textOf(artifacts[0])).toContain('[L1]');
  });

  it('names the change that the words put before the trouble, and says how thin that is', async () => {
    const message = 'Since the deploy this morning at 9:30 the checkout page is slow and many customers see error 500';
    const { said, artifacts } = await run(analyze, { message });
    expect(said).toBe('Possible cause, on thin evidence: Deployment (line 1). 1 problem in 1 record.');
    expect(textOf(artifacts[0])).toContain('The description itself puts it before the trouble.');
    expect(textOf(artifacts[0])).toContain('Against: only a description says so; no log line shows it. [L1]');
  });

  it('does not say a sentence twice, and asks for the logs of what it describes', async () => {
    const { said, artifacts } = await run(analyze, { message: 'Emails are not being delivered since 9 am' });
    expect(said).toBe('No cause is told; what is described: Emails are not being delivered since 9 am (line 1). 1 problem in 1 record.');
    const [summary = ''] = textOf(artifacts[0]).split('## Probable cause');
    expect(summary.split('Emails are not')).toHaveLength(2);
    expect(textOf(artifacts[0])).toContain('1. Send the logs of what is described, from shortly before it began. [L1]');
  });

  it('does not call what is only described its own cause', async () => {
    const { said } = await run(analyze, { message: 'The nightly backup did not run' });
    expect(said).toBe('No cause is told; what is described: Something did not run (line 1). 1 problem in 1 record.');
  });

  it('says why a URL was not read, and asks for its content', async () => {
    const { states, said } = await run(analyze, { message: userMessage(urlPart('https://x.example/app.log')) });
    expect(states.at(-1)).toBe(TaskState.INPUT_REQUIRED);
    expect(said).toMatch(/^I do not fetch URLs/);
  });

  it('uses what it can, and says what it could not', async () => {
    const { states, said } = await run(analyze, { message: userMessage([textPart(LOGS), urlPart('https://x.example/app.log')]) });
    expect(states.at(-1)).toBe(TaskState.COMPLETED);
    expect(said).toContain('I do not fetch URLs');
  });

  it('reads a follow-up together with what was said before on the task [TURN-12]', async () => {
    const history = [userMessage('checkout is down, deployed v2 at 09:00')];
    const { artifacts } = await run(analyze, { message: LOGS, task: create(TaskSchema, { id: 't', history }) });
    expect(textOf(artifacts[0])).toContain('Input: text (earlier message), 1 line. [L1]');
  });

  it('answers a question about the last input of its conversation, and only of its own', async () => {
    const first = testTurn({ message: LOGS });
    for await (const event of analyze.execute(first)) void event;
    const again = await run(analyze, { message: 'focus on stock', contextStore: first.contextStore });
    expect(textOf(again.artifacts[0])).toContain('Only what names “stock” was looked at.');
    const elsewhere = await run(analyze, { message: 'focus on stock' });
    expect(elsewhere.states.at(-1)).toBe(TaskState.INPUT_REQUIRED);
  });

  it('answers a question about the tasks it refers to [TURN-14]', async () => {
    const referenced: Task = create(TaskSchema, { id: 't', history: [userMessage(incident('quota-gelf'))] });
    const { said } = await run(analyze, { message: 'what was the cause?', referencedTasks: [referenced] });
    expect(said).toContain('Quota or rate limit reached');
  });

  it('stops at once when the task is cancelled', async () => {
    const stop = new AbortController();
    const turn = testTurn({ message: LOGS.repeat(2_000), signal: stop.signal });
    const events = analyze.execute(turn)[Symbol.asyncIterator]();
    await events.next();
    stop.abort(new Error('cancelled'));
    await expect(events.next()).rejects.toThrow('cancelled');
  });
});

describe('timeline', () => {
  it('answers with the timeline alone, as text or data', async () => {
    expect(modesOf(await run(new TimelineSkill(), { message: LOGS }))).toEqual(['timeline text/markdown']);
    const { artifacts } = await run(new TimelineSkill(), { message: LOGS, acceptedOutputModes: ['application/json'] });
    const part = artifacts[0]?.parts[0];
    expect(part && partData(part)).toMatchObject({
      timeline: expect.arrayContaining([expect.objectContaining({ kind: 'problem', time: '2026-11-30T06:05:10.114Z' })]),
    });
  });

  it('refuses to answer in a form it cannot make', async () => {
    await expect(run(new TimelineSkill(), { message: LOGS, acceptedOutputModes: ['image/png'] })).rejects.toThrow(
      'A timeline can be made as',
    );
  });
});

describe('group-errors', () => {
  it.each([
    [[], 'errors application/json'],
    [['text/csv'], 'errors text/csv'],
    [['text/markdown'], 'errors text/markdown'],
  ])('answers in what the caller accepts: %j', async (acceptedOutputModes, mode) => {
    expect(modesOf(await run(new GroupErrorsSkill(), { message: LOGS, acceptedOutputModes }))).toEqual([mode]);
  });

  it('writes CSV that a spreadsheet reads and never runs', async () => {
    const { artifacts } = await run(new GroupErrorsSkill(), {
      message: 'ERROR: =cmd() failed, "twice"',
      acceptedOutputModes: ['text/csv'],
    });
    expect(textOf(artifacts[0])).toBe(
      'signature,count,severity,first_seen,first_line,last_seen,last_line,sources\r\n"\'=cmd() failed, <text>",1,error,,1,,1,\r\n',
    );
  });
});

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
