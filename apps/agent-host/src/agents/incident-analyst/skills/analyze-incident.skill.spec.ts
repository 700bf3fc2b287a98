import { create } from '@bufbuild/protobuf';
import {
  dataPart,
  partData,
  rawPart,
  type Task,
  TaskSchema,
  TaskState,
  testTurn,
  textOf,
  textPart,
  urlPart,
  userMessage,
} from '@a2a/a2a-core';
import { incident } from '../fixtures/incident-files.js';
import { modesOf, runSkill } from '../fixtures/run-skill.js';
import { AnalyzeIncidentSkill } from './analyze-incident.skill.js';

const analyze = new AnalyzeIncidentSkill();
const LOGS = incident('deadlock-postgres');

describe('analyze-incident', () => {
  it('answers with an analysis, a timeline and data, and one sentence [STRM-03]', async () => {
    const answer = await runSkill(analyze, { message: LOGS });
    expect(modesOf(answer)).toEqual(['analysis text/markdown', 'timeline text/markdown', 'errors application/json']);
    expect(answer.states[0]).toBe(TaskState.WORKING);
    expect(answer.states.at(-1)).toBe(TaskState.COMPLETED);
    expect(answer.said).toBe('Most likely cause: Deadlock or lock wait (line 2). 5 problems in 8 records.');
  });

  it('gives programs the suspects with score, reasons and lines', async () => {
    const { artifacts } = await runSkill(analyze, { message: LOGS });
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
    expect(modesOf(await runSkill(analyze, { message: LOGS, acceptedOutputModes }))).toEqual(modes);
  });

  it('takes inline files and data beside text, and numbers their lines on', async () => {
    const message = userMessage([
      textPart('Checkout fails:'),
      rawPart(new TextEncoder().encode(LOGS), { filename: 'db.log', mediaType: 'text/plain' }),
      dataPart([{ level: 'error', msg: 'no space left on device', time: '2026-11-30T05:00:00Z' }]),
    ]);
    const { artifacts } = await runSkill(analyze, { message });
    const report = textOf(artifacts[0]);
    expect(report).toContain('Input: db.log, 8 lines. [L2–L9]');
    expect(report).toContain('Input: data, one record a line, 1 line. [L10]');
    expect(report).toContain('**Most likely cause: Disk full**');
  });

  it.each(['hello', 'Can you help me with an incident?', 'Why did the job at 14:05 fail?', 'The website is broken', ' '])(
    'asks for logs when there is nothing to analyse: %j [TURN-12]',
    async (message) => {
      const { states, artifacts, said } = await runSkill(analyze, { message });
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
    const { states, artifacts } = await runSkill(analyze, { message });
    expect(states.at(-1)).toBe(TaskState.COMPLETED);
    expect(textOf(artifacts[0])).toContain('[L1]');
  });

  it('names the change that the words put before the trouble, and says how thin that is', async () => {
    const message = 'Since the deploy this morning at 9:30 the checkout page is slow and many customers see error 500';
    const { said, artifacts } = await runSkill(analyze, { message });
    expect(said).toBe('Possible cause, on thin evidence: Deployment (line 1). 1 problem in 1 record.');
    expect(textOf(artifacts[0])).toContain('The description itself puts it before the trouble.');
    expect(textOf(artifacts[0])).toContain('Against: only a description says so; no log line shows it. [L1]');
  });

  it('does not say a sentence twice, and asks for the logs of what it describes', async () => {
    const { said, artifacts } = await runSkill(analyze, { message: 'Emails are not being delivered since 9 am' });
    expect(said).toBe('No cause is told; what is described: Emails are not being delivered since 9 am (line 1). 1 problem in 1 record.');
    const [summary = ''] = textOf(artifacts[0]).split('## Probable cause');
    expect(summary.split('Emails are not')).toHaveLength(2);
    expect(textOf(artifacts[0])).toContain('1. Send the logs of what is described, from shortly before it began. [L1]');
  });

  it('does not call what is only described its own cause', async () => {
    const { said } = await runSkill(analyze, { message: 'The nightly backup did not run' });
    expect(said).toBe('No cause is told; what is described: Something did not run (line 1). 1 problem in 1 record.');
  });

  it('says why a URL was not read, and asks for its content', async () => {
    const { states, said } = await runSkill(analyze, { message: userMessage(urlPart('https://x.example/app.log')) });
    expect(states.at(-1)).toBe(TaskState.INPUT_REQUIRED);
    expect(said).toMatch(/^I do not fetch URLs/);
  });

  it('uses what it can, and says what it could not', async () => {
    const { states, said } = await runSkill(analyze, { message: userMessage([textPart(LOGS), urlPart('https://x.example/app.log')]) });
    expect(states.at(-1)).toBe(TaskState.COMPLETED);
    expect(said).toContain('I do not fetch URLs');
  });

  it('reads a follow-up together with what was said before on the task [TURN-12]', async () => {
    const history = [userMessage('checkout is down, deployed v2 at 09:00')];
    const { artifacts } = await runSkill(analyze, { message: LOGS, task: create(TaskSchema, { id: 't', history }) });
    expect(textOf(artifacts[0])).toContain('Input: text (earlier message), 1 line. [L1]');
  });

  it('answers a question about the last input of its conversation, and only of its own', async () => {
    const first = testTurn({ message: LOGS });
    for await (const event of analyze.execute(first)) void event;
    const again = await runSkill(analyze, { message: 'focus on stock', contextStore: first.contextStore });
    expect(textOf(again.artifacts[0])).toContain('Only what names “stock” was looked at.');
    const elsewhere = await runSkill(analyze, { message: 'focus on stock' });
    expect(elsewhere.states.at(-1)).toBe(TaskState.INPUT_REQUIRED);
  });

  it('answers a question about the tasks it refers to [TURN-14]', async () => {
    const referenced: Task = create(TaskSchema, { id: 't', history: [userMessage(incident('quota-gelf'))] });
    const { said } = await runSkill(analyze, { message: 'what was the cause?', referencedTasks: [referenced] });
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
