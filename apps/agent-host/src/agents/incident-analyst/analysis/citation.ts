import { beginning } from './input/printable.js';
import { type LineRange } from './line-range.js';
import { type LogRecord } from './log-record.js';

/** A statement of the report and the lines that show it. There is no statement without lines. */
export interface Claim {
  /** Markdown; what stands in backticks is quoted from the cited lines. */
  readonly text: string;
  readonly lines: readonly LineRange[];
}

/** Citations after one statement; more would not be followed. */
const MOST_CITED = 4;

/** Longest quote from a line, in characters. */
const QUOTE_LENGTH = 160;
/** Characters of a text that a quote can come from. */
const LOOKED_AT = 1_000;

export function claim(text: string, ...lines: readonly LineRange[]): Claim {
  return { text, lines: lines.map(({ from, to }) => ({ from, to })) };
}

/** `[L12]` or `[L12–L18]`. */
export function formatRange({ from, to }: LineRange): string {
  return from === to ? `[L${from}]` : `[L${from}–L${to}]`;
}

/** `text [L12], [L14–L18]` */
export function formatClaim({ text, lines }: Claim): string {
  const ranges = [...new Set(lines.map((range) => formatRange(range)))].slice(0, MOST_CITED);
  return `${text} ${ranges.join(', ')}`;
}

/** Text of the input as inline code: one line, cut when long, and unable to end the code or start a table cell. */
export function quote(text: string, length = QUOTE_LENGTH): string {
  const line = beginning(text, LOOKED_AT).replace(/\s+/g, ' ').trim().replaceAll('`', "'");
  const cut = line.length > length ? `${beginning(line, length - 1).trimEnd()}…` : line;
  return `\`${cut === '' ? ' ' : cut}\``;
}

/** The service of a record: quoted where the lines name it. */
export function placeOf({ service, serviceInferred }: Pick<LogRecord, 'service' | 'serviceInferred'>): string | undefined {
  return service === undefined || serviceInferred ? service : quote(service, 60);
}
