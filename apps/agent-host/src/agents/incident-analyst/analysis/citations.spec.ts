import { readdirSync } from 'node:fs';
import { incident } from '../fixtures/incident-files.js';
import { Random } from '../fixtures/random.js';
import { faultsOf } from '../fixtures/report-check.js';
import { runAnalysis } from '../fixtures/run-analysis.js';
import { type Analysis } from './analysis.js';
import { evidenceOf } from './findings/known-record.js';
import { SYMPTOMS } from './findings/symptom.registry.js';
import { errorData } from './report/error-report.js';
import { markdownReport } from './report/markdown-report.js';
import { markdownTimeline, timelineData } from './report/timeline-report.js';

const LINES = readdirSync(new URL('../fixtures/incidents/', import.meta.url)).flatMap((file) =>
  incident(file.replace('.txt', '')).split('\n'),
);
const NOISE = [
  '',
  '\u001b[31mERROR\u001b[0m \u001b[1mworker\u001b[0m: `rm -rf` failed | exit 1',
  '2026-11-30T10:00:00Z ERROR shop: broken \u0000 byte \u0007 and | pipe',
  '{"level":50,"time":1796032801000,"name":"odd","msg":"two\\nlines `ticked` \\"quoted\\" \\u0000 \\ud800"}',
  '{"broken": ',
  '[{"a":',
  'Caused by: nothing.In.Particular: x',
  '\tat lost.Frame.of(Nowhere.java:1)',
  'goroutine 1 [running]:',
  '<script>alert(1)</script> failed [L999] **bold** [link](http://x)',
  'ERROR ' + 'x'.repeat(6_000),
  'Überraschung: Verbindung 😀 failed 😀'.repeat(30),
  '2026-02-31T25:61:61Z ERROR impossible time',
];

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null
    ? Object.entries(value)
        .flat()
        .flatMap((member) => textsIn(member))
    : [];
}

/** Some hundred lines of all incidents and noise, in blocks, in any order, with any line ends. */
function mixture(seed: number): string {
  const random = new Random(seed);
  let text = '';
  for (let block = 0; block < 20; block += 1) {
    const from = random.below(LINES.length);
    const lines = random.below(3) === 0 ? [random.pick(NOISE)] : LINES.slice(from, from + 1 + random.below(12));
    for (const line of lines) text += line + random.pick(['\n', '\n', '\r\n']);
  }
  return text;
}

describe.each(Array.from({ length: 60 }, (_, seed) => seed))('A mixture of formats (seed %i)', (seed) => {
  let analysis: Analysis;
  beforeAll(async () => {
    analysis = await runAnalysis(mixture(seed));
  });

  it('cites only lines of the input that hold what is quoted', () => {
    expect(faultsOf(markdownReport(analysis), analysis)).toEqual([]);
    expect(faultsOf(markdownTimeline(analysis), analysis)).toEqual([]);
  });

  it('shows each known suspect in the record it cites', () => {
    const unsupported = analysis.suspects.filter(({ id, first }) =>
      SYMPTOMS.some((rule) => rule.id === id && !rule.pattern.test(evidenceOf(first))),
    );
    expect(unsupported).toEqual([]);
  });

  it('counts every problem in exactly one group', () => {
    const occurrences = analysis.problems.reduce((sum, { repeats = 1 }) => sum + repeats, 0);
    expect(analysis.groups.reduce((sum, { count }) => sum + count, 0)).toBe(occurrences);
    expect(analysis.groups.every(({ first, last }) => first.orderMs <= last.orderMs)).toBe(true);
  });

  it('keeps the timeline in order, and everything ranked', () => {
    const orders = analysis.timeline.map(({ orderMs }) => orderMs);
    expect(orders).toEqual(orders.toSorted((one, other) => (one === other ? 0 : one - other)));
    const scores = analysis.suspects.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    expect(scores.every((score) => score >= 1 && score <= 99)).toBe(true);
  });

  it('gives text and data that every wire and store can carry', () => {
    const texts = [markdownReport(analysis), markdownTimeline(analysis), ...textsIn([errorData(analysis), timelineData(analysis)])];
    expect(texts.filter((text) => /\p{Cs}|[^\P{Cc}\n\t]/u.test(text))).toEqual([]);
  });

  it('reads every line into at most one record', () => {
    const seen = new Set<number>();
    for (const { from, to } of analysis.records) {
      expect(from).toBeLessThanOrEqual(to);
      for (let line = from; line <= to; line += 1) {
        expect(seen.has(line)).toBe(false);
        seen.add(line);
      }
    }
  });
});
