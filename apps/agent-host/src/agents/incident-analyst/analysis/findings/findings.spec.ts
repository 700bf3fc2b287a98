import { faultsOf } from '../../fixtures/report-check.js';
import { runAnalysis } from '../../fixtures/run-analysis.js';
import { markdownReport } from '../report/markdown-report.js';
import { markdownTimeline } from '../report/timeline-report.js';
import { SYMPTOMS, symptomsIn } from './symptom.registry.js';

function at(second: number, text: string): string {
  return `${new Date(Date.UTC(2026, 10, 30, 10) + second * 1_000).toISOString()} ${text}`;
}

const SEEN: readonly (readonly [string, string])[] = [
  ['out-of-memory', 'java.lang.OutOfMemoryError: Java heap space'],
  ['out-of-memory', 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'],
  ['disk-full', 'write: ENOSPC'],
  ['too-many-open-files', 'accept: too many open files'],
  ['pool-exhausted', 'HikariPool-1 - Connection is not available, request timed out after 30000ms'],
  ['pool-exhausted', 'FATAL: remaining connection slots are reserved for superusers'],
  ['quota', '429 Too Many Requests'],
  ['unschedulable', '0/3 nodes are available: 3 Insufficient cpu.'],
  ['missing-schema', 'relation "orders" does not exist'],
  ['deadlock', 'Deadlock found when trying to get lock'],
  ['read-only', "READONLY You can't write against a read only replica."],
  ['permission-denied', 'open /etc/x: permission denied'],
  ['authentication', 'password authentication failed for user "app"'],
  ['bad-configuration', 'missing required environment variable DATABASE_URL'],
  ['image-pull', 'Back-off pulling image "a:b"'],
  ['null-reference', "Cannot read properties of undefined (reading 'id')"],
  ['constraint', 'duplicate key value violates unique constraint "pk"'],
  ['wrong-type', 'java.lang.NoClassDefFoundError: x/Y'],
  ['certificate', 'x509: certificate has expired or is not yet valid'],
  ['dns', 'getaddrinfo ENOTFOUND db.internal'],
  ['connection-refused', 'dial tcp 10.0.0.5:5432: connect: connection refused'],
  ['connection-refused', 'connection to db-1 refused'],
  ['timeout', 'context deadline exceeded'],
  ['connection-lost', 'read: connection reset by peer'],
  ['no-upstream', 'no live upstreams while connecting to upstream'],
  ['crash-loop', 'Back-off restarting failed container'],
  ['probe-failed', 'Liveness probe failed: HTTP probe failed with statuscode: 500'],
  ['slow', 'the checkout page hangs'],
  ['slow', 'the checkout page is slow'],
  ['backlog', 'Kafka consumer lag keeps growing'],
  ['not-run', 'The nightly backup did not run'],
  ['login', 'Users cannot log in'],
  ['deploy', 'since the release of this morning'],
  ['deploy', 'after the upgrade'],
  ['deploy', 'after we released the shop'],
  ['configuration-change', 'after the config change'],
  ['deploy', 'rolled out payments v2'],
  ['configuration-change', 'configuration reloaded'],
  ['restart', 'received SIGTERM, shutting down'],
  ['rollback', 'rolled back to v1.2'],
  ['recovered', 'connection restored'],
];

describe('Symptoms', () => {
  it.each(SEEN)('knows %s by %s', (id, text) => {
    expect(symptomsIn(text)[0]?.id).toBe(id);
  });

  it('has an example for almost every rule', () => {
    const unseen = SYMPTOMS.map(({ id }) => id).filter((id) => !SEEN.some(([seen]) => seen === id));
    expect(unseen).toEqual(['evicted', 'unreachable']);
  });

  it.each([
    'cache was refreshed after the update of user 5',
    'all 12 checks passed',
    'deployment.apps/web unchanged',
    'timezone is UTC',
    'GET /restaurants 200',
  ])('sees nothing in %s', (text) => {
    expect(symptomsIn(text)).toEqual([]);
  });

  it.each(['0 errors, no failures', 'finished without errors', 'errors=0 failed=0'])('takes "%s" for good news', async (text) => {
    expect((await runAnalysis(text)).problems).toEqual([]);
  });

  it('takes a line marked as information at its word', async () => {
    expect((await runAnalysis(at(0, 'INFO web: retrying after connection refused'))).problems).toEqual([]);
  });
});

describe('Suspects', () => {
  it('blame a deployment more the shorter before the first problem it was', async () => {
    const score = async (second: number) => {
      const { suspects } = await runAnalysis([at(0, 'INFO web: deployed v2'), at(second, 'ERROR web: odd thing')].join('\n'));
      return suspects.find(({ id }) => id === 'deploy')?.score ?? 0;
    };
    const [soon, later, muchLater] = [await score(20), await score(800), await score(7_200)];
    expect(soon).toBeGreaterThan(later);
    expect(later).toBeGreaterThan(0);
    expect(muchLater).toBe(0);
  });

  it('do not blame a change that came after the first problem', async () => {
    const { suspects } = await runAnalysis([at(0, 'ERROR web: odd thing'), at(9, 'INFO web: deployed v2')].join('\n'));
    expect(suspects.map(({ id }) => id)).not.toContain('deploy');
  });

  it('follow a request through services by its id', async () => {
    const { suspects } = await runAnalysis(
      [at(1, 'ERROR gateway: bad answer request_id=abc-12345'), at(0, 'ERROR payments: odd thing request_id=abc-12345')].join('\n'),
    );
    expect(suspects[0]?.first.from).toBe(2);
    expect(suspects[0]?.reasons.map(({ text }) => text)).toContain('Request `abc-12345` fails here first and then in `gateway`.');
  });

  it('are called thin when only a description speaks', async () => {
    const report = markdownReport(await runAnalysis('The disk was full, says Ann.\nShe saw no space left on device.'));
    expect(report).toContain('Possible cause, on thin evidence: Disk full');
  });

  it('are called thin when a single line is all there is', async () => {
    const report = markdownReport(await runAnalysis('10:00:01 ERROR payments: connection to db-1 refused'));
    expect(report).toContain('Possible cause, on thin evidence: Connection refused: `db-1`');
    expect(report).toContain('Against: it is the only line that speaks of trouble');
  });

  it('tell targets apart', async () => {
    const { suspects } = await runAnalysis(
      [at(0, 'ERROR a: connect ECONNREFUSED 10.0.0.1:5432'), at(1, 'ERROR a: connect ECONNREFUSED 10.0.0.2:6379')].join('\n'),
    );
    expect(suspects.map(({ title }) => title).toSorted()).toEqual([
      'Connection refused: `10.0.0.1:5432`',
      'Connection refused: `10.0.0.2:6379`',
    ]);
  });
});

describe('A change told in one breath with the trouble', () => {
  it.each([
    ['Since the deploy this morning at 9:30 the checkout page is slow and many customers see error 500', 'deploy'],
    ['After yesterday\u2019s release orders fail', 'deploy'],
    ['Payments failed after we deployed v2 at 9:30.', 'deploy'],
    ['Following the config change at 14:00 the search is unavailable', 'configuration-change'],
    ['The rollout at 9:30 broke the checkout', 'deploy'],
    ['We upgraded postgres at 7 am. Since then the API is unavailable.', 'deploy'],
  ])('is the first suspect, on thin evidence: %s', async (text, id) => {
    const analysis = await runAnalysis(text);
    expect(analysis.suspects[0]).toMatchObject({ id, kind: 'change' });
    expect(markdownReport(analysis)).toContain('Possible cause, on thin evidence');
    expect(faultsOf(markdownReport(analysis), analysis)).toEqual([]);
    expect(faultsOf(markdownTimeline(analysis), analysis)).toEqual([]);
  });

  it('is no suspect when it came after the trouble', async () => {
    const { suspects } = await runAnalysis('The checkout failed at 9:30, then we rolled out a fix.');
    expect(suspects.filter(({ kind }) => kind === 'change')).toEqual([]);
  });
});

describe('Words of a caller beside a log', () => {
  const LOG = { name: 'app.log', text: at(0, 'ERROR web: odd thing') };

  it.each([
    'why did it fail?',
    'Was it a timeout?',
    'Hello. Why did the job at 14:05 crash?',
    'Please explain the error in this log.',
    'Analyze this failure',
    'Here is the log of the crash',
    "The log of yesterday's crash:",
    'what went wrong here and why is it down',
    'Could you tell me why it crashed',
    'Which errors happened since 9:30?',
  ])('are no record when they only ask: %s', async (text) => {
    const { records, problems } = await runAnalysis([{ name: 'text', text }, LOG]);
    expect([records.length, problems.length]).toEqual([1, 1]);
  });

  it.each(['Checkout failed at 9:30. Why?', 'Please help, the shop is down since 9:30'])('are one when they tell: %s', async (text) => {
    expect((await runAnalysis([{ name: 'text', text }, LOG])).problems).toHaveLength(2);
  });

  it.each(["find: '/root': Permission denied", 'check disk failed', 'attached volume is unavailable', 'cannot write output file:'])(
    'are not mistaken for a request: %s',
    async (text) => {
      expect((await runAnalysis([{ name: 'text', text }, LOG])).problems).toHaveLength(2);
    },
  );

  it('are all there is to go by when no log comes with them', async () => {
    expect((await runAnalysis('Why do I get ECONNREFUSED 10.0.0.5:6379?')).suspects[0]).toMatchObject({ id: 'connection-refused' });
  });
});

describe('Rhythm', () => {
  const steady = Array.from({ length: 60 }, (_, minute) => at(minute * 60, 'ERROR web: rare thing'));
  const burst = Array.from({ length: 40 }, (_, index) => at(1_801 + index, 'ERROR web: sudden thing'));

  it('marks a burst of problems, with its size', async () => {
    const { timeline } = await runAnalysis([...steady.slice(0, 31), ...burst, ...steady.slice(33)].join('\n'));
    const bursts = timeline.filter(({ kind }) => kind === 'burst');
    expect(bursts).toHaveLength(1);
    expect(bursts[0]?.text).toMatch(/^\*\*Burst\*\*: 4[01] problems within/);
  });

  it('sees no burst in a steady trickle', async () => {
    expect((await runAnalysis(steady.join('\n'))).timeline.filter(({ kind }) => kind === 'burst')).toEqual([]);
  });

  it('marks a silence of the log, with both its ends', async () => {
    const lines = [...Array.from({ length: 20 }, (_, second) => at(second, 'INFO web: tick')), at(1_819, 'INFO web: tick')];
    const analysis = await runAnalysis(lines.join('\n'));
    expect(markdownTimeline(analysis)).toContain('**Gap**: nothing logged for 30 min [L20], [L21]');
  });
});

describe('Impact', () => {
  it('says that things got better, when nothing fails afterwards', async () => {
    const report = markdownReport(await runAnalysis([at(0, 'ERROR web: odd thing'), at(60, 'INFO web: connection restored')].join('\n')));
    expect(report).toContain('Things got better: `connection restored`; no problem comes after it. [L2], [L1]');
  });

  it('does not believe in a recovery that problems follow', async () => {
    const report = markdownReport(
      await runAnalysis([at(0, 'ERROR web: odd thing'), at(60, 'INFO web: recovered'), at(90, 'ERROR web: odd thing')].join('\n')),
    );
    expect(report).toContain('A recovery is reported, `recovered`, but problems go on after it. [L2], [L3]');
  });
});

describe('Focus', () => {
  it('looks only at what names the service', async () => {
    const { problems, focus } = await runAnalysis(
      [at(0, 'ERROR payments: a'), at(1, 'ERROR gateway: payments is slow'), at(2, 'ERROR search: b')].join('\n'),
      {
        focus: 'Payments',
      },
    );
    expect(focus).toBe('Payments');
    expect(problems.map(({ from }) => from)).toEqual([1, 2]);
  });
});
