import { type Claim, type Result } from './result.js';
import { type Spread } from './rounds.js';

/** Results as Markdown: a table of targets, and one of the figures below them. */
export function formatReport(results: readonly Result[]): string {
  const claims = results.flatMap(({ id, claims: all }) => all.map((claim) => claimLine(id, claim)));
  const rows = results.flatMap(({ id, title, rows: all }) =>
    all.map(({ name, figure, unit }, index) => `| ${index === 0 ? `${id} ${title}` : ''} | ${name} | ${formatSpread(figure)} ${unit} |`),
  );
  return [
    '| | target | measured | |',
    '| --- | --- | --- | --- |',
    ...claims,
    '',
    '| workload | server | cost |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function claimLine(id: string, { text, measured, atMost }: Claim): string {
  const verdict = measured.median <= atMost ? 'met' : measured.median - measured.deviation <= atMost ? 'met within the spread' : 'missed';
  return `| ${id} | ${text} ≤ ${atMost} | ${formatSpread(measured)} | ${verdict} |`;
}

function formatSpread({ median, deviation }: Spread): string {
  const digits = Math.abs(median) >= 100 ? 0 : Math.abs(median) >= 10 ? 1 : 2;
  return `${median.toFixed(digits)} ± ${deviation.toFixed(digits)}`;
}
