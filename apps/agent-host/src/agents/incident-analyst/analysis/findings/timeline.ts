import { placeOf, quote } from '../citation.js';
import { largest } from '../largest.js';
import { type LineRange } from '../line-range.js';
import { type KnownRecord, type Moment } from '../log-record.js';
import { formatDuration, formatMoment, plural } from '../wording.js';
import { type ErrorGroup } from './error-groups.js';
import { type Burst, type Gap } from './rhythm.js';

/** One row of a timeline. */
export interface TimelineEntry {
  readonly kind: 'change' | 'problem' | 'recovery' | 'note' | 'burst' | 'gap';
  readonly time: Moment | undefined;
  readonly orderMs: number;
  readonly service: string | undefined;
  /** The service as Markdown. */
  readonly where: string | undefined;
  /** Markdown; what stands in backticks is quoted from the lines. */
  readonly text: string;
  readonly lines: readonly LineRange[];
}

const MOST_PROBLEMS = 60;
const MOST_OTHERS = 40;

export interface TimelineFacts {
  readonly problems: readonly ErrorGroup[];
  readonly changes: readonly ErrorGroup[];
  readonly recoveries: readonly ErrorGroup[];
  /** Lines of prose with a time of their own. */
  readonly notes: readonly KnownRecord[];
  readonly bursts: readonly Burst[];
  readonly gaps: readonly Gap[];
}

/** What happened, in order: each kind of problem once with how long it went on, changes, recoveries, bursts and silences. */
export function buildTimeline(facts: TimelineFacts): TimelineEntry[] {
  const entries = [
    ...foremost(facts.problems).map((group) => groupEntry('problem', group)),
    ...facts.changes.slice(0, MOST_OTHERS).map((group) => groupEntry('change', group)),
    ...facts.recoveries.slice(0, MOST_OTHERS).map((group) => groupEntry('recovery', group)),
    ...facts.notes.slice(0, MOST_OTHERS).map((record) => noteEntry(record)),
    ...facts.bursts.map((burst) => burstEntry(burst)),
    ...facts.gaps.map((gap) => gapEntry(gap)),
  ];
  return entries.toSorted(compare);
}

function groupEntry(kind: TimelineEntry['kind'], { first, last, count }: ErrorGroup): TimelineEntry {
  const until = last === first ? '' : `, last at ${formatMoment(last.time)}`;
  const more = count > 1 ? ` (${plural(count, 'time')}${until})` : '';
  const label = first.label ? `${quote(first.label, 60)} ` : '';
  const detail = first.detail ? `: ${quote(first.detail)}` : '';
  return entry(kind, first, `${label}${quote(first.message)}${detail}${more}`, last === first ? [first] : [first, last]);
}

function noteEntry(record: KnownRecord): TimelineEntry {
  return entry('note', record, quote(record.message), [record]);
}

function burstEntry({ first, last, count }: Burst): TimelineEntry {
  const ms = (last.time?.ms ?? 0) - (first.time?.ms ?? 0);
  return entry('burst', first, `**Burst**: ${plural(count, 'problem')} within ${formatDuration(ms)}`, [first, last]);
}

function gapEntry({ before, after, ms }: Gap): TimelineEntry {
  return entry('gap', before, `**Gap**: nothing logged for ${formatDuration(ms)}`, [before, after]);
}

function entry(kind: TimelineEntry['kind'], record: KnownRecord, text: string, lines: readonly LineRange[]): TimelineEntry {
  const { time, orderMs, service, host } = record;
  const where = placeOf(service === undefined ? { service: host } : record);
  return { kind, time, orderMs, service: service ?? host, where, text, lines: lines.map(({ from, to }) => ({ from, to })) };
}

/** The earliest and the most frequent groups, when there are too many; their order stays. */
function foremost(groups: readonly ErrorGroup[]): readonly ErrorGroup[] {
  const half = MOST_PROBLEMS / 2;
  return [...groups.slice(0, half), ...largest(groups.slice(half), half, ({ count }) => count)];
}

/** By time, then by line; a burst stands before its first problem, a gap behind the record it follows. */
function compare(one: TimelineEntry, other: TimelineEntry): number {
  if (one.orderMs !== other.orderMs) return one.orderMs - other.orderMs;
  const line = (one.lines[0]?.from ?? 0) - (other.lines[0]?.from ?? 0);
  return line || rank(one) - rank(other);
}

function rank({ kind }: TimelineEntry): number {
  return kind === 'burst' ? 0 : kind === 'gap' ? 2 : 1;
}
