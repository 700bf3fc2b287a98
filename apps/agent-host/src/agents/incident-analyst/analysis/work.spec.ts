import { readdirSync } from 'node:fs';
import { incident } from '../fixtures/incident-files.js';
import { runAnalysis } from '../fixtures/run-analysis.js';
import { Pacer } from './pacer.js';
import { analyze } from './analyze.js';
import { errorData } from './report/error-report.js';
import { markdownReport } from './report/markdown-report.js';
import { markdownTimeline } from './report/timeline-report.js';

const MEBIBYTE = 1_048_576;
const ALL = readdirSync(new URL('../fixtures/incidents/', import.meta.url))
  .map((file) => incident(file.replace('.txt', '')))
  .join('\n');

function filled(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

/** A different error on every line, so that nothing can be grouped. */
function distinctErrors(length: number): string {
  let text = '';
  for (let index = 0; text.length < length; index += 1) {
    text += `error ${[...index.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('')}\n`;
  }
  return text.slice(0, length);
}

const INPUTS: Readonly<Record<string, (length: number) => string>> = {
  'a mixture of all formats': (length) => filled(ALL, length),
  'one endless line': (length) => filled('error: connection refused, timeout "a\' ', length),
  'documents that never end': (length) => filled('[{"a":[\n', length),
  'headers of traces without frames': (length) => filled('a.b.C: x\nTraceback (most recent call last):\npanic: x\n', length),
  'tracebacks cut up by syslog': (length) => filled('Nov 30 10:00:00 h app[1]: Traceback (most recent call last):\n', length),
  'different errors only': distinctErrors,
  'lines of one character': (length) => filled('x\n', length),
};

async function workOf(text: string): Promise<number> {
  const pacer = new Pacer();
  await runAnalysis(text, { pacer });
  return pacer.work;
}

describe('The work of an analysis', () => {
  it.each(Object.entries(INPUTS))('grows in step with the input: %s', async (_, make) => {
    const [small, large] = [await workOf(make(30_000)), await workOf(make(120_000))];
    expect(large / small).toBeGreaterThan(2);
    expect(large / small).toBeLessThan(4.6);
  });

  it('lets others have their turn every few milliseconds of its work', async () => {
    let turns = 0;
    let isRunning = true;
    const other = (): void => {
      turns += 1;
      if (isRunning) setImmediate(other);
    };
    setImmediate(other);
    const before = process.cpuUsage();
    await runAnalysis(filled(ALL, MEBIBYTE));
    const workMs = process.cpuUsage(before).user / 1_000;
    isRunning = false;
    expect(workMs / turns).toBeLessThan(50);
  });

  it('reads a mebibyte of one line', async () => {
    const analysis = await runAnalysis(filled('ERROR payments: connection refused ', MEBIBYTE));
    expect(analysis.lines.count).toBe(1);
    expect(analysis.suspects[0]?.id).toBe('connection-refused');
    expect(markdownReport(analysis).length).toBeLessThan(6_000);
  });

  it('reads a mebibyte of one JSON line in full', async () => {
    const line = JSON.stringify({
      level: 'error',
      time: '2026-11-30T10:00:00Z',
      padding: filled('x', MEBIBYTE),
      msg: 'no space left on device',
    });
    const { suspects } = await runAnalysis(line);
    expect(suspects[0]?.id).toBe('disk-full');
  });

  it('keeps its answers small, however strange the input', async () => {
    const analysis = await runAnalysis(distinctErrors(MEBIBYTE));
    expect(analysis.groups.length).toBeGreaterThan(50_000);
    expect(markdownReport(analysis).length).toBeLessThan(20_000);
    expect(markdownTimeline(analysis).length).toBeLessThan(20_000);
    const data = errorData(analysis);
    expect(data['groups']).toHaveLength(200);
    expect(data['totals']).toMatchObject({ omittedGroups: analysis.groups.length - 200 });
  });

  it('reports progress while it reads', async () => {
    const texts: string[] = [];
    for await (const { text } of analyze([{ name: 'text', text: filled(ALL, MEBIBYTE) }])) texts.push(text);
    expect(texts[0]).toMatch(/^Reading \d+ lines$/);
    expect(texts.filter((text) => text.startsWith('Read up to line')).length).toBeGreaterThanOrEqual(3);
  });

  it('stops when it is told to, with the reason it was given', async () => {
    const stop = new AbortController();
    const running = runAnalysis(filled(ALL, MEBIBYTE), { signal: stop.signal });
    setImmediate(() => stop.abort(new Error('cancelled')));
    await expect(running).rejects.toThrow('cancelled');
  });

  it.each([
    ['nothing', ''],
    ['blank lines', '\n \r\n\t\n'],
    ['NULs', '\0\0\0\n\0'],
    ['garbage', Array.from({ length: 5_000 }, (_, index) => String.fromCharCode((index * 7_919) % 65_536)).join('')],
  ])('survives %s', async (_, text) => {
    const analysis = await runAnalysis(text);
    expect(markdownReport(analysis)).toContain('# Incident analysis');
  });
});
