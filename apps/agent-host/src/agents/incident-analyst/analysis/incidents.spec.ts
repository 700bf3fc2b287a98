import { readdirSync } from 'node:fs';
import { incident } from '../fixtures/incident-files.js';
import { faultsOf } from '../fixtures/report-check.js';
import { runAnalysis } from '../fixtures/run-analysis.js';
import { isoTime } from './wording.js';
import { errorMarkdown } from './report/error-report.js';
import { markdownReport } from './report/markdown-report.js';
import { markdownTimeline } from './report/timeline-report.js';

interface Golden {
  /** The first suspect, and the line that shows it. */
  readonly cause: string;
  readonly line: number;
  readonly title: RegExp;
  /** In order of time. */
  readonly order: readonly RegExp[];
  readonly problems: number;
  readonly formats: readonly string[];
  readonly says: readonly RegExp[];
}

const GOLDEN: Readonly<Record<string, Golden>> = {
  'disk-full-postgres': {
    cause: 'disk-full',
    line: 3,
    title: /^Disk full$/,
    order: [/No space left on device/, /Could not save order 48113/, /Could not save order 48114/, /POST \/api\/orders/],
    problems: 6,
    formats: ['syslog-rfc3164', 'application-log', 'access-log'],
    says: [/Connection refused: `db-1:5432`/, /OrderService\.java:58/, /2 of 3 logged requests \(67 %\)/],
  },
  'oom-kubernetes': {
    cause: 'out-of-memory',
    line: 4,
    title: /^Out of memory: `java`$/,
    order: [/Killed process 31177/, /Readiness probe failed: Get/, /Back-off restarting/, /statuscode: 503/],
    problems: 4,
    formats: ['kubernetes-events'],
    says: [/4 min 10 s before the listing/, /lists events by age/],
  },
  'expired-certificate': {
    cause: 'certificate',
    line: 3,
    title: /^TLS certificate/,
    order: [/call to billing failed/, /peer closed connection in SSL handshake/, /502/],
    problems: 5,
    formats: ['json-pino', 'nginx-error', 'access-log'],
    says: [/billing-client\.ts:41:11/, /`certificate has expired`/, /offset \+0100/],
  },
  'java-missing-column': {
    cause: 'missing-schema',
    line: 3,
    title: /schema/,
    order: [/Starting CatalogApplication v2\.4\.0/, /dispatcherServlet/, /health check failed/, /price update gave up/],
    problems: 3,
    formats: ['application-log'],
    says: [
      /The deepest cause below `org\.springframework\.dao\.\w+` is `org\.postgresql\.util\.PSQLException`/,
      /Deployment 44 s before it/,
    ],
  },
  'python-dns-syslog': {
    cause: 'dns',
    line: 2,
    title: /^Name not resolved/,
    order: [/Traceback/, /batch 8812 failed/],
    problems: 2,
    formats: ['syslog-rfc3164'],
    says: [/`socket\.gaierror`/, /`send_batch` at `"\/srv\/mailer\/send\.py", line 88`/, /without a year \(4 records\) are read as 2026/],
  },
  'node-redis-refused': {
    cause: 'restart',
    line: 2,
    title: /^Stop or restart$/,
    order: [/User requested shutdown/, /redis client error/],
    problems: 4,
    formats: ['container-logs'],
    says: [/Connection refused: `172\.20\.0\.5:6379`/, /`Cart\.load` at `\/app\/src\/cart\.ts:52:18`/],
  },
  'go-panic-deploy': {
    cause: 'null-reference',
    line: 3,
    title: /^Null value/,
    order: [/deployed version v1\.9\.0/, /rule lookup failed/, /restarting after crash/],
    problems: 1,
    formats: ['logfmt'],
    says: [/`example\.com\/pricing\/internal\/rules\.\(\*Engine\)\.Apply` at `\/src\/pricing\/internal\/rules\/engine\.go:91`/],
  },
  'file-descriptors-nginx': {
    cause: 'too-many-open-files',
    line: 2,
    title: /^Out of file descriptors$/,
    order: [/accept4/, /socket\(\) failed/, /GET \/feed\/1/, /upstream timed out/],
    problems: 7,
    formats: ['nginx-error', 'access-log'],
    says: [/3 of 4 logged requests \(75 %\)/, /Seen 3 times, first in nginx/],
  },
  'deadlock-postgres': {
    cause: 'deadlock',
    line: 2,
    title: /^Deadlock/,
    order: [/deadlock detected/, /reservation failed/, /stock answered 500/, /request timed out/],
    problems: 5,
    formats: ['application-log', 'logfmt'],
    says: [/Request `b1c2d3e4f5` fails here first and then in `checkout`/],
  },
  'quota-gelf': {
    cause: 'quota',
    line: 2,
    title: /^Quota/,
    order: [/quota exceeded/, /no coordinates|timeout after 2000 ms/],
    problems: 4,
    formats: ['json-gelf'],
    says: [/Errors of `shipping` name `geo`/],
  },
  'image-pull-events': {
    cause: 'image-pull',
    line: 23,
    title: /^Container image/,
    order: [/Scaled up replica set/, /manifest unknown/, /Back-off pulling image/],
    problems: 2,
    formats: ['kubernetes-events-json'],
    says: [/Seen 18 times/, /\[L23–L31\]/],
  },
  'prose-report': {
    cause: 'deploy',
    line: 3,
    title: /^Deployment$/,
    order: [/we deployed payments v2\.4\.0/, /checkout page hangs/, /time out/, /rolled back/, /back to normal/],
    problems: 2,
    formats: ['plain-text'],
    says: [/on thin evidence/, /only a description says so/, /Things got better: `everything is back to normal`/],
  },
  'permission-apache': {
    cause: 'permission-denied',
    line: 2,
    title: /^Permission denied$/,
    order: [/applied new configuration/, /Permission denied/, /app\.css HTTP/, /app\.js HTTP/, /answer 403/],
    problems: 5,
    formats: ['syslog-rfc5424', 'apache-error', 'access-log'],
    says: [/Configuration change 7 s before it/],
  },
};

describe('Incidents as people paste them', () => {
  it('has a golden expectation for every fixture', () => {
    const files = readdirSync(new URL('../fixtures/incidents/', import.meta.url)).map((file) => file.replace('.txt', ''));
    expect(files.toSorted()).toEqual(Object.keys(GOLDEN).toSorted());
  });

  describe.each(Object.entries(GOLDEN))('%s', (name, golden) => {
    it('names the right cause first, on the right line', async () => {
      const { suspects } = await runAnalysis(incident(name));
      expect(suspects[0]).toMatchObject({ id: golden.cause, first: { from: golden.line } });
      expect(suspects[0]?.title).toMatch(golden.title);
    });

    it('tells the events in the order they happened', async () => {
      const { timeline } = await runAnalysis(incident(name));
      const events = timeline.filter(({ kind }) => kind !== 'gap' && kind !== 'burst').map(({ text }) => text);
      let from = 0;
      for (const expected of golden.order) {
        const at = events.findIndex((text, index) => index >= from && expected.test(text));
        expect([expected, at]).toEqual([expected, expect.any(Number)]);
        expect(at).toBeGreaterThanOrEqual(from);
        from = at + 1;
      }
    });

    it('counts problems and knows the formats', async () => {
      const { problems, formats } = await runAnalysis(incident(name));
      expect(problems).toHaveLength(golden.problems);
      expect(formats.map(({ id }) => id)).toEqual(expect.arrayContaining([...golden.formats]));
    });

    it('says what matters', async () => {
      const report = markdownReport(await runAnalysis(incident(name)));
      for (const expected of golden.says) expect(report).toMatch(expected);
    });

    it('cites lines that hold what each statement quotes', async () => {
      const analysis = await runAnalysis(incident(name));
      expect(faultsOf(markdownReport(analysis), analysis)).toEqual([]);
      expect(faultsOf(markdownTimeline(analysis), analysis)).toEqual([]);
      expect(faultsOf(errorMarkdown({ ...analysis, groups: [] }), analysis)).toEqual([]);
    });

    it('gives the same answer again', async () => {
      const [once, again] = [await runAnalysis(incident(name)), await runAnalysis(incident(name))];
      expect(markdownReport(again)).toBe(markdownReport(once));
    });
  });

  it('stays calm about logs in which nothing failed', async () => {
    const calm = '2026-11-30T10:00:00Z INFO web: started\n2026-11-30T10:00:05Z INFO web: 0 errors, no failed jobs\n';
    const analysis = await runAnalysis(calm);
    expect(analysis.suspects).toEqual([]);
    expect(markdownReport(analysis)).toContain('Nothing in these 2 records says that something failed. [L1–L2]');
  });

  it('brings the times of several zones into one order', async () => {
    const { timeline } = await runAnalysis(
      ['2026-11-30T12:00:05+02:00 ERROR b: second', '2026-11-30T10:00:01Z ERROR a: first', '2026-11-30T05:00:09-05:00 ERROR c: third'].join(
        '\n',
      ),
    );
    expect(timeline.map(({ time }) => isoTime(time))).toEqual([
      '2026-11-30T10:00:01.000Z',
      '2026-11-30T10:00:05.000Z',
      '2026-11-30T10:00:09.000Z',
    ]);
  });
});
