import { type JsonObject } from '@bufbuild/protobuf';
import { type Analysis } from '../analysis.js';
import { formatRange, quote } from '../citation.js';
import { type ErrorGroup } from '../findings/error-groups.js';
import { confidenceIn, type Suspect } from '../findings/suspect.js';
import { largest } from '../largest.js';
import { beginning } from '../input/printable.js';
import { type KnownRecord } from '../log-record.js';
import { formatMoment, isoTime } from '../wording.js';
import { headline } from './summary.js';

/** Groups in one answer, the most frequent ones; `omittedGroups` tells how many more there are. */
const MOST_GROUPS = 200;
const SAMPLE_LENGTH = 500;

/** Errors by signature with counts, suspects with reasons, formats and totals: everything a program needs. */
export function errorData(analysis: Analysis): JsonObject {
  const { lines, records, problems, formats, suspects, groups } = analysis;
  const shown = mostFrequent(groups);
  return {
    summary: headline(analysis),
    totals: {
      lines: lines.count,
      characters: lines.characters,
      records: records.length,
      problems: problems.length,
      groups: groups.length,
      omittedGroups: groups.length - shown.length,
    },
    formats: formats.map(({ id, title, records: count, first, last }) => ({
      id,
      title,
      records: count,
      firstLine: first.from,
      lastLine: last.to,
    })),
    sources: lines.sources.map(({ name, from, to }) => ({ name, fromLine: from, toLine: to })),
    groups: shown.map((group) => groupData(group, analysis)),
    suspects: suspects.map((suspect) => suspectData(suspect)),
  };
}

/** One line a group, RFC 4180. */
export function errorCsv({ groups }: Analysis): string {
  const rows = mostFrequent(groups).map(({ signature, count, severity, first, last, sources }) =>
    [signature, count, severity, seenAt(first), first.from, seenAt(last), last.from, sources.join(' ')]
      .map((cell) => csvCell(String(cell)))
      .join(','),
  );
  return ['signature,count,severity,first_seen,first_line,last_seen,last_line,sources', ...rows].join('\r\n') + '\r\n';
}

/** The groups as a Markdown table. */
export function errorMarkdown({ groups }: Analysis): string {
  const rows = mostFrequent(groups).map(({ signature, count, severity, first, last, sources }) => {
    const cells = [
      count,
      severity,
      quote(signature),
      `${formatMoment(first.time)} ${formatRange(first)}`,
      `${formatMoment(last.time)} ${formatRange(last)}`,
      sources.map((source) => quote(source, 60)).join(', '),
    ];
    return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  });
  if (rows.length === 0) return '# Errors\n\nNo errors.\n';
  return (
    [
      '# Errors',
      '',
      '| Count | Severity | Signature | First seen | Last seen | Where |',
      '| ---: | --- | --- | --- | --- | --- |',
      ...rows,
    ].join('\n') + '\n'
  );
}

function groupData({ signature, count, severity, first, last, sources }: ErrorGroup, { lines }: Analysis): JsonObject {
  const sample = beginning(lines.text(first.from), SAMPLE_LENGTH);
  return { signature, count, severity, first: seenData(first), last: seenData(last), sample, sources: [...sources] };
}

function suspectData(suspect: Suspect): JsonObject {
  const { id, kind, title, means, score, count, first, last, reasons } = suspect;
  return {
    id,
    kind,
    title: title.replaceAll('`', ''),
    means,
    score,
    confidence: confidenceIn(suspect),
    count,
    first: seenData(first),
    last: seenData(last),
    reasons: reasons.map(({ text, points, lines }) => ({
      text,
      points: Math.round(points),
      lines: lines.map(({ from, to }) => ({ from, to })),
    })),
  };
}

function seenData(record: KnownRecord): JsonObject {
  const time = isoTime(record.time);
  return { ...(time ? { time } : {}), line: record.from, ...(record.to > record.from ? { toLine: record.to } : {}) };
}

function seenAt(record: KnownRecord): string {
  return isoTime(record.time) ?? '';
}

/** A cell that a spreadsheet shows as text and never runs as a formula. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The most frequent groups, when there are too many; their order stays. */
function mostFrequent(groups: readonly ErrorGroup[]): readonly ErrorGroup[] {
  return largest(groups, MOST_GROUPS, ({ count }) => count);
}
