import { type Analysis, type FormatShare } from './analysis.js';
import { chronological } from './chronological.js';
import { findCaveats } from './findings/caveats.js';
import { correlate } from './findings/correlation.js';
import { groupErrors } from './findings/error-groups.js';
import { findImpact } from './findings/impact.js';
import { evidenceOf, know } from './findings/known-record.js';
import { findBursts, findGaps } from './findings/rhythm.js';
import { findSuspects } from './findings/suspects.js';
import { buildTimeline } from './findings/timeline.js';
import { onlyAsks } from './findings/told.js';
import { formatTitle } from './formats/format.registry.js';
import { InputLines, type Source } from './input/input-lines.js';
import { type KnownRecord, type LogRecord } from './log-record.js';
import { paced, Pacer } from './pacer.js';
import { RecordReader } from './record-reader.js';
import { settleTimes } from './settle-times.js';
import { between, plural } from './wording.js';
import { WrappedTraces } from './wrapped-traces.js';

export interface AnalyzeOptions {
  /** Stops the analysis within about 10 ms. */
  readonly signal?: AbortSignal;
  /** For times without a year. Unix epoch, milliseconds; default the present. */
  readonly nowMs?: number;
  /** Looks only at records that name this service or word. */
  readonly focus?: string;
  /** Counts the work; default one of its own. */
  readonly pacer?: Pacer;
}

/** A stage of the work has begun, in words for the caller. */
export interface Progress {
  readonly text: string;
}

/** Changes beyond these come too late to have begun anything. */
const MOST_CHANGES = 200;
/** Characters between two reports of progress. */
const PROGRESS_EVERY = 262_144;

/**
 * Analyses failure reports and logs of any known format, or a mixture.
 *
 * - Work and memory grow in step with the input.
 * - The event loop turns about every 5 ms, so that other callers are served meanwhile.
 * - The same input gives the same analysis.
 *
 * @returns yields progress; the analysis is the return value
 * @throws the reason of `signal` once it has aborted
 */
export async function* analyze(sources: readonly Source[], options: AnalyzeOptions = {}): AsyncGenerator<Progress, Analysis> {
  const pacer = options.pacer ?? new Pacer(options.signal);
  const lines = await InputLines.read(sources, pacer);
  yield { text: `Reading ${plural(lines.count, 'line')}` };
  const read = yield* readRecords(lines, pacer);
  const settled = await settleTimes(await withoutQuestions(read, pacer), options.nowMs ?? Date.now(), pacer);
  const all = await chronological(settled, pacer);
  const records = options.focus ? await focused(all, options.focus, pacer) : all;
  const problems = await chosen(records, ({ problem }) => problem, pacer);
  yield { text: `Weighing ${plural(problems.length, 'problem')} in ${plural(records.length, 'record')}` };
  return await findings(lines, records, problems, pacer, options.focus);
}

async function* readRecords(lines: InputLines, pacer: Pacer): AsyncGenerator<Progress, KnownRecord[]> {
  const records: KnownRecord[] = [];
  const wrapped = new WrappedTraces((record) => keep(record, records));
  const reader = new RecordReader(lines, pacer, (record) => wrapped.take(record));
  for (let more = await reader.readOn(PROGRESS_EVERY); more; more = await reader.readOn(PROGRESS_EVERY)) {
    yield { text: `Read up to line ${reader.line} of ${lines.count}` };
  }
  wrapped.flush();
  return records;
}

/** Prose counts when it says something: a sign, trouble, or a time. */
function keep(record: LogRecord, records: KnownRecord[]): void {
  const known = know(record);
  const told = record.time && !onlyAsks(record);
  if (record.format !== 'plain-text' || known.problem || known.symptoms.length > 0 || told) records.push(known);
}

/** Where a log speaks, what somebody only asks about it is no evidence, even when the question names a symptom. */
async function withoutQuestions(records: readonly KnownRecord[], pacer: Pacer): Promise<readonly KnownRecord[]> {
  if (records.every(({ format }) => format === 'plain-text')) return records;
  return await chosen(records, (record) => !onlyAsks(record), pacer);
}

async function findings(
  lines: InputLines,
  records: readonly KnownRecord[],
  problems: readonly KnownRecord[],
  pacer: Pacer,
  focus: string | undefined,
): Promise<Analysis> {
  const changes = (await chosen(records, (record) => !record.problem && hasSign(record, 'change'), pacer)).slice(0, MOST_CHANGES);
  const recoveries = await chosen(records, (record) => !record.problem && hasSign(record, 'recovery'), pacer);
  const notes = await chosen(
    records,
    ({ format, time, problem, symptoms }) => format === 'plain-text' && time !== undefined && !problem && symptoms.length === 0,
    pacer,
  );
  const spanMs = between(problems.find(({ time }) => time)?.time, problems.findLast(({ time }) => time)?.time) ?? 0;
  const bursts = await findBursts(problems, spanMs, pacer);
  const groups = await groupErrors(problems, pacer);
  const correlation = await correlate(records, problems, pacer);
  const timeline = buildTimeline({
    problems: groups,
    changes: await groupErrors(changes, pacer),
    recoveries: await groupErrors(recoveries, pacer),
    notes,
    bursts,
    gaps: await findGaps(records, pacer),
  });
  return {
    lines,
    formats: await formatShares(records, pacer),
    records,
    problems,
    groups,
    suspects: await findSuspects({ problems, changes, bursts, correlation }, pacer),
    timeline,
    impact: await findImpact(records, problems, pacer),
    notes: await findCaveats(lines, records, pacer),
    focus,
  };
}

function hasSign({ symptoms }: KnownRecord, kind: 'change' | 'recovery'): boolean {
  return symptoms.some((rule) => rule.kind === kind);
}

async function chosen(records: readonly KnownRecord[], wanted: (record: KnownRecord) => boolean, pacer: Pacer): Promise<KnownRecord[]> {
  const found: KnownRecord[] = [];
  await paced(records, pacer, (record) => {
    if (wanted(record)) found.push(record);
  });
  return found;
}

async function focused(records: readonly KnownRecord[], focus: string, pacer: Pacer): Promise<KnownRecord[]> {
  const word = focus.toLowerCase();
  const names = (record: KnownRecord) =>
    [record.service, record.host, evidenceOf(record)].some((text) => text?.toLowerCase().includes(word));
  return await chosen(records, names, pacer);
}

async function formatShares(records: readonly KnownRecord[], pacer: Pacer): Promise<FormatShare[]> {
  const shares = new Map<string, { count: number; first: KnownRecord; last: KnownRecord }>();
  await paced(records, pacer, (record) => {
    const share = shares.get(record.format) ?? { count: 0, first: record, last: record };
    share.count += 1;
    share.first = record.from < share.first.from ? record : share.first;
    share.last = record.from > share.last.from ? record : share.last;
    shares.set(record.format, share);
  });
  return [...shares].map(([id, { count, first, last }]) => ({ id, title: formatTitle(id), records: count, first, last }));
}
