import { jsonRecord } from './json-fields.js';
import { type LogFormat } from './log-format.js';

const KEY = /([A-Za-z_][\w.@-]{0,63})=/y;
const QUOTED = /"((?:[^"\\]|\\.){0,4000})"/y;
const BARE = /[^\s"]{0,4000}/y;
/** Fewer pairs than this is prose that happens to hold an equals sign. */
const FEWEST_PAIRS = 3;

/** `time=2026-11-30T12:00:00Z level=error msg="payment failed" order=42`. */
export const LOGFMT: LogFormat = {
  id: 'logfmt',
  title: 'logfmt',
  read(lines, at) {
    const pairs = pairsIn(lines.text(at));
    if (!pairs) return undefined;
    const line = lines.number(at);
    const record = jsonRecord(pairs, line, line);
    return record && { records: [{ ...record, format: this.id }], to: at };
  },
};

/** The pairs of a line that consists of pairs alone; undefined for any other line. */
function pairsIn(text: string): Readonly<Record<string, string>> | undefined {
  const pairs = new Map<string, string>();
  for (let at = 0; at < text.length;) {
    const key = matchAt(KEY, text, at);
    if (!key) return undefined;
    at += key[0].length;
    const value = matchAt(QUOTED, text, at) ?? matchAt(BARE, text, at);
    at += value?.[0].length ?? 0;
    pairs.set(key[1] ?? '', (value?.[1] ?? value?.[0] ?? '').replaceAll('\\"', '"'));
    if (at < text.length && text[at] !== ' ') return undefined;
    while (text[at] === ' ') at += 1;
  }
  return pairs.size >= FEWEST_PAIRS ? Object.fromEntries(pairs) : undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
