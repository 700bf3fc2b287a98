import { type Analysis } from '../analysis.js';
import { type Claim, claim, formatClaim, formatRange, quote } from '../citation.js';
import { confidenceIn, type Suspect } from '../findings/suspect.js';
import { type LineRange } from '../line-range.js';
import { formatMoment, plural } from '../wording.js';
import { said } from './said.js';
import { summaryOf } from './summary.js';

const MOST_OTHER_SUSPECTS = 4;
/** A suspect below it would only lengthen the report. */
const LEAST_SCORE = 20;
const MOST_FIRST = 6;
const MOST_EVIDENCE = 24;
const EVIDENCE_LENGTH = 220;
const CONFIDENCE = { strong: 'strong evidence', fair: 'fair evidence', thin: 'thin evidence' } as const;

/** The analysis as Markdown for people: every statement is followed by the lines that show it. */
export function markdownReport(analysis: Analysis): string {
  const { suspects, impact, notes } = analysis;
  const [first, ...others] = suspects;
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['Summary', summaryOf(analysis).map((item) => formatClaim(item))],
    [
      'Probable cause',
      first
        ? [`**${first.title}** (score ${first.score}, ${CONFIDENCE[confidenceIn(first)]}). ${first.means}`, ...suspectLines(first)]
        : [],
    ],
    [
      'Other suspects',
      others
        .filter(({ score }) => score >= LEAST_SCORE)
        .slice(0, MOST_OTHER_SUSPECTS)
        .flatMap((suspect) => otherSuspect(suspect)),
    ],
    ['What happened first', firstEvents(analysis)],
    ['Impact', impact.map((item) => bullet(item))],
    ['Next steps', nextSteps(suspects)],
    ['What this rests on', [...basis(analysis), ...notes].map((item) => bullet(item))],
    ['Evidence', evidence(analysis)],
  ];
  const body = sections.filter(([, lines]) => lines.length > 0).map(([title, lines]) => `## ${title}\n\n${lines.join('\n')}`);
  return ['# Incident analysis', ...body].join('\n\n') + '\n';
}

function suspectLines({ first, reasons }: Suspect): string[] {
  return ['', bullet(claim(`The input says: ${said(first)}`, first)), ...reasons.map((item) => bullet(item))];
}

function otherSuspect(suspect: Suspect): string[] {
  const { id, title, score, first, means, reasons } = suspect;
  const saying = id === 'unknown-error' ? '' : `: ${said(first)}`;
  const head = claim(`**${title}** (score ${score}, ${CONFIDENCE[confidenceIn(suspect)]})${saying}. ${means}`, first);
  return [bullet(head), ...reasons.map((item) => `  ${bullet(item)}`)];
}

function firstEvents({ timeline }: Analysis): string[] {
  const events = timeline.filter(({ kind }) => kind !== 'gap' && kind !== 'burst').slice(0, MOST_FIRST);
  return events.map(({ time, where, text, lines }, index) => {
    const who = where ? `${where}: ` : '';
    return `${index + 1}. ${formatMoment(time)} — ${formatClaim({ text: `${who}${text}`, lines })}`;
  });
}

function nextSteps(suspects: readonly Suspect[]): string[] {
  const steps = suspects
    .slice(0, 3)
    .flatMap(({ nextSteps: texts, first }, place) => texts.slice(0, place === 0 ? 3 : 1).map((text) => claim(text, first)));
  const unique = new Map(steps.map((step) => [step.text, step]));
  return [...unique.values()].map((step, index) => `${index + 1}. ${formatClaim(step)}`);
}

function basis({ lines, formats, focus }: Analysis): Claim[] {
  const sources = lines.sources.map(({ name, from, to }) =>
    claim(`Input: ${plain(name)}, ${plural(to - from + 1, 'line')}.`, { from, to }),
  );
  const read = formats.map(({ title, records, first, last }) =>
    claim(`${plural(records, 'record')} read as ${title}.`, first, ...(first === last ? [] : [last])),
  );
  const narrowed = focus ? [claim(`Only what names “${focus}” was looked at.`, { from: 1, to: Math.max(1, lines.count) })] : [];
  return [...sources, ...read, ...narrowed];
}

/** The cited lines themselves, so that nobody has to count. */
function evidence({ lines, suspects, groups }: Analysis): string[] {
  const ranges: LineRange[] = suspects.slice(0, 3).flatMap(({ first, reasons }) => [first, ...reasons.flatMap((item) => item.lines)]);
  const numbers = [...ranges, ...groups.slice(0, 8).map(({ first }) => first)].map(({ from }) => from);
  const cited = [...new Set(numbers)].slice(0, MOST_EVIDENCE).toSorted((one, other) => one - other);
  if (cited.length === 0) return [];
  return cited.map((line) => `- ${formatRange({ from: line, to: line })} ${quote(lines.text(line), EVIDENCE_LENGTH)}`);
}

function bullet(item: Claim): string {
  return `- ${formatClaim(item)}`;
}

/** A name from outside, without anything that Markdown could take for its own. */
function plain(name: string): string {
  return name.slice(0, 100).replace(/[^\p{L}\p{N} .,()/-]/gu, '_');
}
