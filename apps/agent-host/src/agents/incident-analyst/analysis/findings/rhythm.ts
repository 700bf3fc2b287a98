import { largest } from '../largest.js';
import { type KnownRecord } from '../log-record.js';
import { paced, type Pacer } from '../pacer.js';

/** Many problems close together. */
export interface Burst {
  readonly first: KnownRecord;
  readonly last: KnownRecord;
  readonly count: number;
}

/** Nothing at all was logged for a while. */
export interface Gap {
  readonly before: KnownRecord;
  readonly after: KnownRecord;
  readonly ms: number;
}

const WINDOWS_MS = [1_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000, 21_600_000, 86_400_000];
/** The time of an input is cut into about this many windows. */
const MOST_WINDOWS = 240;
const FEWEST_IN_BURST = 5;
/** A window is a burst when it has this many times the problems of an ordinary window. */
const BURST_FACTOR = 3;
const SHORTEST_GAP_MS = 60_000;
/** A gap is this many times the usual pause between two records. */
const GAP_FACTOR = 20;
const MOST = 5;

/**
 * Finds the times when problems came much faster than usual. The window that counts is chosen from the length of the input.
 *
 * @param problems in order of time
 */
export async function findBursts(problems: readonly KnownRecord[], spanMs: number, pacer: Pacer): Promise<Burst[]> {
  const windowMs = WINDOWS_MS.find((ms) => spanMs / ms <= MOST_WINDOWS) ?? spanMs / MOST_WINDOWS;
  const windows: { readonly index: number; count: number; readonly first: KnownRecord; last: KnownRecord }[] = [];
  await paced(problems, pacer, (record) => {
    if (!record.time) return;
    const index = Math.floor(record.orderMs / windowMs);
    const open = windows.at(-1);
    if (open?.index === index) {
      open.count += 1;
      open.last = record;
    } else windows.push({ index, count: 1, first: record, last: record });
  });
  const total = Math.max(1, Math.ceil(spanMs / windowMs));
  const ordinary = windows.reduce((sum, { count }) => sum + count, 0) / total;
  const threshold = Math.max(FEWEST_IN_BURST, ordinary * BURST_FACTOR);
  const bursts: (Burst & { readonly index: number })[] = [];
  for (const window of windows.filter(({ count }) => count >= threshold)) {
    const before = bursts.at(-1);
    if (before && window.index - before.index <= 1) bursts.pop();
    const joined = before && window.index - before.index <= 1;
    bursts.push(joined ? { ...window, first: before.first, count: before.count + window.count } : window);
  }
  return largest(bursts, MOST, ({ count }) => count);
}

/** Finds silences of logs that stand out; people are silent without meaning anything. @param records in order of time */
export async function findGaps(records: readonly KnownRecord[], pacer: Pacer): Promise<Gap[]> {
  const gaps: Gap[] = [];
  let before: KnownRecord | undefined;
  let pauses = 0;
  let total = 0;
  await paced(records, pacer, (record) => {
    if (!record.time || record.format === 'plain-text') return;
    if (before?.time) {
      const ms = record.time.ms - before.time.ms;
      if (ms >= SHORTEST_GAP_MS) gaps.push({ before, after: record, ms });
      else {
        pauses += 1;
        total += ms;
      }
    }
    before = record;
  });
  const usual = pauses > 0 ? total / pauses : 0;
  return largest(
    gaps.filter(({ ms }) => ms >= Math.max(SHORTEST_GAP_MS, usual * GAP_FACTOR)),
    MOST,
    ({ ms }) => ms,
  );
}
