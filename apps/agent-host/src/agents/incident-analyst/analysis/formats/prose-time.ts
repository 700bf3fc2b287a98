import { timeAt, timeOfDay } from '../input/timestamps.js';
import { type Moment } from '../log-record.js';

/** How far into a line a time may stand and still be the line's own. */
const HEAD_LENGTH = 200;
const ISO = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/;
const OF_DAY =
  /(?:^|[\s([~@])([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?\s?(am|pm)?\s?(UTC|GMT|Z|CET|CEST|BST|EST|EDT|CST|CDT|PST|PDT)?(?=[\s,.;:)\]–-]|$)/i;
const FULL_HOUR =
  /(?:^|[\s([~@])(1[0-2]|0?[1-9])\s?(am|pm|a\.m\.|p\.m\.)\s?(UTC|GMT|CET|CEST|BST|EST|EDT|CST|CDT|PST|PDT)?(?=[\s,.;:)\]–-]|$)/i;
const NAMED_HOUR = /(?<![\w-])(noon|midday|midnight)(?![\w-])/i;

/** The time that a line of prose names: `2026-11-30 12:00:00`, `at 14:05 UTC`, `since 8am`, `around noon`. */
export function proseTimeIn(text: string): Moment | undefined {
  const head = text.slice(0, HEAD_LENGTH);
  const iso = ISO.exec(head);
  if (iso) return timeAt(head, iso.index)?.time;
  const ofDay = OF_DAY.exec(head);
  if (ofDay) {
    const [, hour, minute, second, half, zone] = ofDay;
    return timeOfDay(hourOf(hour, half), Number(minute), Number(second ?? 0), zone?.toUpperCase());
  }
  const full = FULL_HOUR.exec(head);
  if (full) return timeOfDay(hourOf(full[1], full[2]), 0, 0, full[3]?.toUpperCase());
  const named = NAMED_HOUR.exec(head)?.[1]?.toLowerCase();
  return named === undefined ? undefined : timeOfDay(named === 'midnight' ? 0 : 12, 0, 0, undefined);
}

/** 12 am is midnight, 12 pm is noon; `14 pm` is taken for 14. */
function hourOf(hour: string | undefined, half: string | undefined): number {
  const written = Number(hour);
  if (half === undefined || written > 12) return written;
  return (written % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0);
}
