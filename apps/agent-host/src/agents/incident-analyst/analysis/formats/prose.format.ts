import { timeAt, timeOfDay } from '../input/timestamps.js';
import { type Moment } from '../log-record.js';
import { idsIn } from './request-ids.js';
import { type LogFormat, oneLine } from './log-format.js';

/** How far into a line a time may stand and still be the line's own. */
const HEAD_LENGTH = 200;
const ISO = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/;
const OF_DAY =
  /(?:^|[\s([~@])([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?\s?(am|pm)?\s?(UTC|GMT|Z|CET|CEST|BST|EST|EDT|CST|CDT|PST|PDT)?(?=[\s,.;:)\]–-]|$)/i;
/** A list's mark and a time, which are no part of what a line says. */
const LEAD =
  /^(?:[-*•>#]{1,6}\s{1,8}|\d{1,3}[.)]\s{1,8})?(?:\d{1,2}:\d\d(?::\d\d)?\s?(?:am|pm)?\s?(?:UTC|GMT|CET|CEST|[ECP][SD]T)?\s{0,4}[-–:|]?\s{1,4})?/i;
const LETTERS = /\p{L}{3}/u;

/** Plain words: what people write, and lines of no format. Times such as `at 14:05 UTC` are read where a line has one. */
export const PROSE: LogFormat = {
  id: 'plain-text',
  title: 'plain text',
  read(lines, at) {
    const text = lines.text(at);
    if (!LETTERS.test(text)) return undefined;
    return oneLine(lines, at, { format: this.id, message: said(text), severity: 'unknown', time: timeIn(text), ids: idsIn(text) });
  },
};

function said(text: string): string {
  const trimmed = text.trim();
  return trimmed.replace(LEAD, '') || trimmed;
}

function timeIn(text: string): Moment | undefined {
  const head = text.slice(0, HEAD_LENGTH);
  const iso = ISO.exec(head);
  if (iso) return timeAt(head, iso.index)?.time;
  const match = OF_DAY.exec(head);
  if (!match) return undefined;
  const [, hour, minute, second, half, zone] = match;
  const afternoon = half?.toLowerCase() === 'pm' && Number(hour) < 12 ? 12 : 0;
  return timeOfDay(Number(hour) + afternoon, Number(minute), Number(second ?? 0), zone?.toUpperCase());
}
