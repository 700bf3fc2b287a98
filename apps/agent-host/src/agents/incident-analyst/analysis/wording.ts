import { type Moment } from './log-record.js';

const UNITS: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

/** `2 h 5 min`, `40 s`, `120 ms`: the two largest units. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const parts: string[] = [];
  let rest = ms;
  for (const [unitMs, name] of UNITS) {
    const count = Math.floor(rest / unitMs);
    if (count > 0) parts.push(`${count} ${name}`);
    else if (parts.length > 0) break;
    rest -= count * unitMs;
  }
  return parts.slice(0, 2).join(' ');
}

/** `2026-11-30 12:00:00.123Z`; a time of day for an input without dates; `3 min 20 s before the listing` for an age. */
export function formatMoment(time: Moment | undefined): string {
  if (!time) return '—';
  const about = time.approximate ? '≈ ' : '';
  if (time.kind === 'age') return `${formatDuration(-time.ms)} before the listing`;
  const iso = new Date(time.ms).toISOString().replace('.000', '');
  return about + (time.kind === 'clock' ? iso.slice(11).replace('Z', time.zoned ? 'Z' : '') : iso.replace('T', ' '));
}

/** ISO 8601 in UTC; undefined where the input gives no date. */
export function isoTime(time: Moment | undefined): string | undefined {
  return time?.kind === 'absolute' ? new Date(time.ms).toISOString() : undefined;
}

/** The time between two moments of one kind; undefined when it cannot be told. */
export function between(one: Moment | undefined, other: Moment | undefined): number | undefined {
  return one && other && one.kind === other.kind ? other.ms - one.ms : undefined;
}

/** `1 line`, `2 lines` */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
