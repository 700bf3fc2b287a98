import { type KnownRecord, type Moment } from './log-record.js';
import { paced, type Pacer } from './pacer.js';

const DAY_MS = 86_400_000;
/** A log may be from a machine whose clock is ahead by this much and still be of this year. */
const CLOCK_SKEW_MS = DAY_MS;
/** An access log writes the second in which a request ended; what made it fail was logged before, within that second. */
const WHOLE_SECOND_MS = 999;

/** What all records together say about time. */
interface KnownTimes {
  /** The latest time that names its year. */
  readonly anchorMs: number | undefined;
  readonly firstDatedMs: number | undefined;
  readonly latestMs: number | undefined;
}

/**
 * Makes the times of an input comparable.
 *
 * - A time without a year gets the year that puts it nearest to the input's own dates, or the latest that is not in the future.
 * - A time of day gets the date of the dated line above it (of the first below when there is none above).
 * - An age is counted back from the latest time of the input, when there is one.
 * - For ordering, a record without a time has that of the record above it.
 *
 * What was worked out this way is marked `approximate`.
 *
 * @param nowMs Unix epoch; used for years only
 */
export async function settleTimes(records: readonly KnownRecord[], nowMs: number, pacer: Pacer): Promise<KnownRecord[]> {
  const known = await survey(records, nowMs, pacer);
  const settled: KnownRecord[] = [];
  let dated = known.firstDatedMs;
  let orderMs = Number.NEGATIVE_INFINITY;
  await paced(records, pacer, (record) => {
    const time = record.time && settle(record.time, known, dated, nowMs);
    if (time?.kind === 'absolute') dated = time.ms;
    if (time) orderMs = time.ms + (record.http && time.ms % 1_000 === 0 ? WHOLE_SECOND_MS : 0);
    settled.push({ ...record, time, orderMs });
  });
  return settled;
}

async function survey(records: readonly KnownRecord[], nowMs: number, pacer: Pacer): Promise<KnownTimes> {
  let withYear = Number.NEGATIVE_INFINITY;
  await paced(records, pacer, ({ time }) => {
    if (time?.kind === 'absolute' && !time.yearless) withYear = Math.max(withYear, time.ms);
  });
  const anchorMs = Number.isFinite(withYear) ? withYear : undefined;
  let latest = Number.NEGATIVE_INFINITY;
  let latestClock = Number.NEGATIVE_INFINITY;
  let firstDatedMs: number | undefined;
  await paced(records, pacer, ({ time }) => {
    if (!time) return;
    if (time.kind === 'clock') latestClock = Math.max(latestClock, time.ms);
    if (time.kind !== 'absolute') return;
    const ms = time.yearless ? inBestYear(time.ms, anchorMs, nowMs) : time.ms;
    latest = Math.max(latest, ms);
    firstDatedMs ??= ms;
  });
  const latestMs = Number.isFinite(latest) ? latest : Number.isFinite(latestClock) ? latestClock : undefined;
  return { anchorMs, firstDatedMs, latestMs };
}

function settle(time: Moment, known: KnownTimes, dated: number | undefined, nowMs: number): Moment {
  if (time.yearless)
    return { ...time, ms: inBestYear(time.ms, known.anchorMs, nowMs), guessedYear: known.anchorMs === undefined, yearless: false };
  if (time.kind === 'clock' && dated !== undefined) {
    return { ...time, ms: nearestDay(time.ms, dated), kind: 'absolute', approximate: true };
  }
  if (time.kind === 'age' && known.latestMs !== undefined) {
    return { ...time, ms: known.latestMs + time.ms, kind: known.firstDatedMs === undefined ? 'clock' : 'absolute', approximate: true };
  }
  return time;
}

/** A date whose year is missing, in the year that fits best. */
function inBestYear(ms: number, anchorMs: number | undefined, nowMs: number): number {
  const date = new Date(ms);
  const year = new Date(anchorMs ?? nowMs).getUTCFullYear();
  const choices = [year - 1, year, year + 1].map((choice) => Date.UTC(choice, date.getUTCMonth(), date.getUTCDate()) + (ms % DAY_MS));
  if (anchorMs !== undefined)
    return choices.reduce((best, choice) => (Math.abs(choice - anchorMs) < Math.abs(best - anchorMs) ? choice : best));
  return choices.findLast((choice) => choice <= nowMs + CLOCK_SKEW_MS) ?? (choices[0] as number);
}

/** A time of day on the day that brings it nearest to a dated moment. */
function nearestDay(clockMs: number, datedMs: number): number {
  const onTheDay = Math.floor(datedMs / DAY_MS) * DAY_MS + clockMs;
  return [onTheDay - DAY_MS, onTheDay, onTheDay + DAY_MS].reduce((best, choice) =>
    Math.abs(choice - datedMs) < Math.abs(best - datedMs) ? choice : best,
  );
}
