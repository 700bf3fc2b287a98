import { type Moment } from '../log-record.js';

/** A time found in a text, and where the text goes on after it. */
export interface FoundTime {
  readonly time: Moment;
  readonly end: number;
}

interface Spelling {
  readonly pattern: RegExp;
  read(groups: Record<string, string | undefined>): Moment | undefined;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = '(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const CLOCK = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)(?:[.,](?<fraction>\\d{1,9}))?';
const ZONE = '(?: ?(?<zone>Z|[+-]\\d\\d:?\\d\\d|UTC|GMT|CEST|CET|BST|EDT|EST|CDT|CST|PDT|PST)(?![\\w:]))?';
const ZONE_MINUTES: Readonly<Record<string, number>> = {
  Z: 0,
  UTC: 0,
  GMT: 0,
  BST: 60,
  CET: 60,
  CEST: 120,
  EDT: -240,
  EST: -300,
  CDT: -300,
  CST: -360,
  PDT: -420,
  PST: -480,
};
/** A leap year, so that 29 February is a date before the year is known. */
const YEAR_UNKNOWN = 2000;

/** The ways logs write a time, most telling first. Each pattern is tried at one place only. */
const SPELLINGS: readonly Spelling[] = [
  // 2026-11-30T12:00:00.123Z, 2026-11-30 12:00:00,123 +0100, 2026/11/30 12:00:00
  {
    pattern: new RegExp(`(?<year>\\d{4})[-/](?<monthNumber>\\d\\d)[-/](?<day>\\d\\d)[T _]${CLOCK}${ZONE}`, 'y'),
    read: (groups) => moment(groups),
  },
  // 30/Nov/2026:12:00:00 +0000, 30-Nov-2026 12:00:00.123
  { pattern: new RegExp(`(?<day>\\d\\d)[-/]${MONTH}[-/](?<year>\\d{4})[: ]${CLOCK}${ZONE}`, 'y'), read: (groups) => moment(groups) },
  // Mon Nov 30 12:00:00.123456 2026
  {
    pattern: new RegExp(`(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? ${MONTH} {1,2}(?<day>\\d{1,2}) ${CLOCK} (?<year>\\d{4})`, 'y'),
    read: (groups) => moment(groups),
  },
  // Mon, 30 Nov 2026 12:00:00 GMT
  {
    pattern: new RegExp(`(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?(?<day>\\d{1,2}) ${MONTH} (?<year>\\d{4}) ${CLOCK}${ZONE}`, 'y'),
    read: (groups) => moment(groups),
  },
  // Nov 30 12:00:00
  { pattern: new RegExp(`${MONTH} {1,2}(?<day>\\d{1,2}) ${CLOCK}`, 'y'), read: (groups) => moment(groups) },
  // 12:00:00.123
  { pattern: new RegExp(`${CLOCK}${ZONE}`, 'y'), read: (groups) => clockOnly(groups) },
];

/** The time written at `start`; undefined when there is none. */
export function timeAt(text: string, start = 0): FoundTime | undefined {
  for (const { pattern, read } of SPELLINGS) {
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    const time = match?.groups && read(match.groups);
    if (match && time) return { time, end: start + match[0].length };
  }
  return undefined;
}

/** A time that is the value of a field: text in any spelling, or epoch seconds, milliseconds, microseconds or nanoseconds. */
export function timeOfValue(value: unknown): Moment | undefined {
  if (typeof value === 'number') return epoch(value);
  if (typeof value !== 'string') return undefined;
  if (/^\d{9,19}(?:\.\d{1,9})?$/.test(value)) return epoch(Number(value));
  return timeAt(value.trim())?.time;
}

/** `10:05 UTC` without seconds, as people write it. */
export function timeOfDay(hour: number, minute: number, second: number, zone: string | undefined): Moment {
  const offset = offsetMinutes(zone);
  return { ms: ((hour * 60 + minute - (offset ?? 0)) * 60 + second) * 1_000, kind: 'clock', ...zoneFacts(zone, offset) };
}

/** `3m20s`, `2d4h`, `45s`: how long ago, in milliseconds; undefined when it is no age. */
export function ageMs(text: string): number | undefined {
  if (!/^(?:\d{1,6}[smhdy]){1,4}$/.test(text)) return undefined;
  const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, y: 31_536_000_000 };
  return [...text.matchAll(/(\d{1,6})([smhdy])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * (unitMs[unit ?? 's'] ?? 0), 0);
}

function epoch(value: number): Moment | undefined {
  const digits = Math.trunc(Math.abs(value)).toString().length;
  if (digits < 9 || digits > 19) return undefined;
  const perMs = digits <= 10 ? 0.001 : digits <= 13 ? 1 : digits <= 16 ? 1_000 : 1_000_000;
  return { ms: Math.round(value / perMs), kind: 'absolute', zoned: true };
}

function moment(groups: Record<string, string | undefined>): Moment | undefined {
  const month = groups['month'] ? MONTHS.indexOf(groups['month'].toLowerCase()) : Number(groups['monthNumber']) - 1;
  const day = Number(groups['day']);
  const clockMs = clockOf(groups);
  if (month < 0 || month > 11 || day < 1 || day > 31 || clockMs === undefined) return undefined;
  const offset = offsetMinutes(groups['zone']);
  const year = groups['year'] ? Number(groups['year']) : YEAR_UNKNOWN;
  const ms = Date.UTC(year, month, day) + clockMs - (offset ?? 0) * 60_000;
  return { ms, kind: 'absolute', ...zoneFacts(groups['zone'], offset), ...(groups['year'] ? {} : { yearless: true }) };
}

function clockOnly(groups: Record<string, string | undefined>): Moment | undefined {
  const ms = clockOf(groups);
  const offset = offsetMinutes(groups['zone']);
  return ms === undefined ? undefined : { ms: ms - (offset ?? 0) * 60_000, kind: 'clock', ...zoneFacts(groups['zone'], offset) };
}

function clockOf(groups: Record<string, string | undefined>): number | undefined {
  const [hour, minute, second] = [Number(groups['hour']), Number(groups['minute']), Number(groups['second'])];
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const fraction = Math.trunc(Number(`0.${groups['fraction'] ?? '0'}`) * 1_000);
  return ((hour * 60 + minute) * 60 + second) * 1_000 + fraction;
}

function offsetMinutes(zone: string | undefined): number | undefined {
  if (!zone) return undefined;
  const numeric = /^([+-])(\d\d):?(\d\d)$/.exec(zone);
  if (!numeric) return ZONE_MINUTES[zone];
  return (numeric[1] === '-' ? -1 : 1) * (Number(numeric[2]) * 60 + Number(numeric[3]));
}

function zoneFacts(zone: string | undefined, offset: number | undefined): Pick<Moment, 'zoned' | 'offset'> {
  return { zoned: offset !== undefined, ...(offset ? { offset: zone } : {}) };
}
