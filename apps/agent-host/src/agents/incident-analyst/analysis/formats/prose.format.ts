import { idsIn } from './request-ids.js';
import { type LogFormat, oneLine } from './log-format.js';
import { proseTimeIn } from './prose-time.js';

/** A list's mark and a time, which are no part of what a line says. */
const LEAD =
  /^(?:[-*•>#]{1,6}\s{1,8}|\d{1,3}[.)]\s{1,8})?(?:(?:\d{1,2}:\d\d(?::\d\d)?\s?(?:am|pm)?|\d{1,2}\s?[ap]m)\s?(?:UTC|GMT|CET|CEST|[ECP][SD]T)?\s{0,4}[-–:|]?\s{1,4})?/i;
const LETTERS = /\p{L}{3}/u;

/** Plain words: what people write, and lines of no format. Times such as `at 14:05 UTC` or `8am` are read where a line has one. */
export const PROSE: LogFormat = {
  id: 'plain-text',
  title: 'plain text',
  read(lines, at) {
    const text = lines.text(at);
    if (!LETTERS.test(text)) return undefined;
    return oneLine(lines, at, { format: this.id, message: said(text), severity: 'unknown', time: proseTimeIn(text), ids: idsIn(text) });
  },
};

function said(text: string): string {
  const trimmed = text.trim();
  return trimmed.replace(LEAD, '') || trimmed;
}
