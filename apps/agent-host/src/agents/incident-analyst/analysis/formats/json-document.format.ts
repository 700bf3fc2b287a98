import { type TextLines } from '../input/text-lines.js';
import { type LogRecord } from '../log-record.js';
import { isObject, jsonRecord } from './json-fields.js';
import { parsed } from './json-lines.format.js';
import { kubernetesEvent } from './kubernetes-event.js';
import { type LogFormat } from './log-format.js';

/** Members of an object whose elements are the records. */
const LISTS = /"(?:items|events|logs|records|entries|hits)"\s*:\s*$/;

/** Where a record stands: lines and columns, the last column excluded. */
interface Span {
  readonly from: number;
  readonly fromColumn: number;
  readonly to: number;
  readonly toColumn: number;
}

/**
 * JSON over several lines: an array of records, a list such as `kubectl get events -o json` prints, or one pretty-printed record.
 * Each record stands on the lines that its own braces span.
 */
export const JSON_DOCUMENT: LogFormat = {
  id: 'json-document',
  title: 'JSON document',
  read(lines, at) {
    const head = lines.text(at).trimStart();
    if (!/^[[{]\s*(?:$|["{[])/.test(head)) return undefined;
    const document = new DocumentScan(lines, at).run();
    return document && document.spans.length > 0 ? { records: recordsIn(lines, document.spans), to: document.to } : undefined;
  },
};

/** One by one, so that the reader can pause between them. */
function* recordsIn(lines: TextLines, spans: readonly Span[]): Generator<LogRecord> {
  for (const span of spans) {
    const entry = parsed(textOf(lines, span));
    if (!isObject(entry)) continue;
    const [first, last] = [lines.number(span.from), lines.number(span.to)];
    const record = kubernetesEvent(entry, first, last) ?? jsonRecord(entry, first, last);
    if (record) yield record;
  }
}

function textOf(lines: TextLines, { from, fromColumn, to, toColumn }: Span): string {
  if (from === to) return lines.full(from).slice(fromColumn, toColumn);
  const parts = [lines.full(from).slice(fromColumn)];
  for (let line = from + 1; line < to; line += 1) parts.push(lines.full(line));
  return [...parts, lines.full(to).slice(0, toColumn)].join('\n');
}

/** Walks a document once, character by character, and notes where its records begin and end. */
class DocumentScan {
  readonly #spans: Span[] = [];
  #depth = 0;
  #inString = false;
  /** Depth of the array that holds the records; 0 until it is seen. */
  #listDepth = 0;
  #open: Pick<Span, 'from' | 'fromColumn'> | undefined;

  constructor(
    private readonly lines: TextLines,
    private readonly at: number,
  ) {}

  /** @returns the records and the last line; undefined when the document does not end or is no JSON */
  run(): { readonly spans: readonly Span[]; readonly to: number } | undefined {
    for (let line = this.at; line <= this.lines.count; line += 1) {
      const text = this.lines.full(line);
      if (!this.lines.mayLookAhead(text.length + 1)) return undefined;
      const end = this.#walk(text, line);
      if (end === undefined) continue;
      const whole = { from: this.at, fromColumn: 0, to: line, toColumn: end };
      return { spans: this.#listDepth > 0 ? this.#spans : [whole], to: line };
    }
    return undefined;
  }

  /** @returns the column behind the document's last brace, when it is on this line */
  #walk(text: string, line: number): number | undefined {
    for (let column = 0; column < text.length; column += 1) {
      const character = text[column];
      if (this.#inString) {
        if (character === '\\') column += 1;
        else if (character === '"') this.#inString = false;
      } else if (character === '"') this.#inString = true;
      else if (character === '{' || character === '[') this.#enter(text, line, column);
      else if (character === '}' || character === ']') {
        this.#leave(line, column);
        if (this.#depth === 0) return column + 1;
      }
    }
    return undefined;
  }

  #enter(text: string, line: number, column: number): void {
    this.#depth += 1;
    if (this.#listDepth === 0 && text[column] === '[' && (this.#depth === 1 || this.#isList(text, column))) {
      this.#listDepth = this.#depth;
    } else if (this.#listDepth > 0 && this.#depth === this.#listDepth + 1) this.#open = { from: line, fromColumn: column };
  }

  #isList(text: string, column: number): boolean {
    return this.#depth === 2 && LISTS.test(text.slice(Math.max(0, column - 40), column));
  }

  #leave(line: number, column: number): void {
    if (this.#open && this.#depth === this.#listDepth + 1) {
      this.#spans.push({ ...this.#open, to: line, toColumn: column + 1 });
      this.#open = undefined;
    }
    this.#depth -= 1;
  }
}
