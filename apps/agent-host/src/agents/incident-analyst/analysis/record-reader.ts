import { BODY_FORMATS, FORMATS } from './formats/format.registry.js';
import { framesBelow } from './formats/frames-below.js';
import { onlyRecord, type Reading } from './formats/log-format.js';
import { type InputLines } from './input/input-lines.js';
import { LineList, type TextLines } from './input/text-lines.js';
import { type LogRecord, wordsOf } from './log-record.js';
import { type Pacer } from './pacer.js';
import { worse } from './severity.js';
import { surfaced, titleOf } from './stack-trace.js';

/** The sequence number that PostgreSQL puts before what it sends to syslog. */
const SEQUENCE = /^\[\d{1,10}-\d{1,6}\] /;

/** Work of completing one record, in characters. */
const RECORD_COST = 128;

/** Turns the lines of an input into records, each line read once and in order. */
export class RecordReader {
  /** Read, but open: a stack trace on the next line belongs to it. */
  #pending: LogRecord | undefined;
  #at = 1;

  constructor(
    private readonly lines: InputLines,
    private readonly pacer: Pacer,
    private readonly take: (record: LogRecord) => void,
  ) {}

  /** The line that is read next. */
  get line(): number {
    return this.#at;
  }

  /** Reads on until about `characters` more have been read. @returns false at the end of the input */
  async readOn(characters: number): Promise<boolean> {
    for (let read = 0; this.#at <= this.lines.count && read < characters;) {
      const from = this.#at;
      for (const record of this.#readAt(from)) {
        this.#add(record);
        if (this.pacer.spend(RECORD_COST)) await this.pacer.pause();
      }
      const cost = this.#cost(from, this.#at);
      read += cost;
      if (this.pacer.spend(cost)) await this.pacer.pause();
    }
    if (this.#at <= this.lines.count) return true;
    this.#flush();
    return false;
  }

  *#readAt(at: number): Generator<LogRecord> {
    if (this.lines.full(at) === '') {
      this.#at = at + 1;
      return;
    }
    if (this.#takeFramesBelow(at)) return;
    const reading = firstReading(this.lines, at);
    this.#at = (reading?.to ?? at) + 1;
    for (const record of reading?.records ?? []) yield record.body === undefined ? record : withBody(record);
  }

  /** Frames right below a log line are the trace of that line. */
  #takeFramesBelow(at: number): boolean {
    const above = this.#pending;
    if (!above || above.to !== at - 1 || above.trace) return false;
    const reading = framesBelow(this.lines, at, above);
    const trace = onlyRecord(reading);
    if (!reading || !trace) return false;
    this.#pending = withTrace(above, trace);
    this.#at = reading.to + 1;
    return true;
  }

  #add(record: LogRecord): void {
    const above = this.#pending;
    if (above && record.trace && !record.time && belongs(above, record)) this.#pending = withTrace(above, record);
    else {
      this.#flush();
      this.#pending = record;
    }
  }

  #flush(): void {
    if (this.#pending) this.take(this.#pending);
    this.#pending = undefined;
  }

  #cost(from: number, next: number): number {
    let cost = 0;
    for (let line = from; line < next; line += 1) cost += this.lines.full(line).length + 1;
    return cost;
  }
}

/** What the first format that knows the line makes of it. */
function firstReading(lines: TextLines, at: number, formats = FORMATS): Reading | undefined {
  for (const format of formats) {
    const reading = format.read(lines, at);
    if (reading) return reading;
  }
  return undefined;
}

/** A trace with a header of its own goes to the record right above when that announces trouble and has no trace yet. */
function belongs(above: LogRecord, trace: LogRecord): boolean {
  if (above.trace || above.to < trace.from - 1 || above.severity === 'info' || above.severity === 'debug') return false;
  return above.severity !== 'unknown' || above.format !== 'plain-text';
}

function withTrace(above: LogRecord, { to, trace }: LogRecord): LogRecord {
  const title = trace && titleOf(surfaced(trace));
  const detail = title && !wordsOf(above).includes(title) ? title : above.detail;
  return { ...above, to: Math.max(above.to, to), trace, detail, severity: worse(above.severity, 'error') };
}

/** Reads what stands inside a syslog or container line; the outer line knows where it came from, the inner one what it says. */
function withBody(outer: LogRecord): LogRecord {
  const lines = new LineList([(outer.body ?? '').replace(SEQUENCE, '')], () => outer.from);
  const inner = onlyRecord(firstReading(lines, 1, BODY_FORMATS));
  if (!inner) return outer;
  return {
    ...inner,
    format: outer.format,
    time: inner.time?.kind === 'absolute' && !inner.time.yearless ? inner.time : (outer.time ?? inner.time),
    ...serviceOf(inner, outer),
    host: inner.host ?? outer.host,
    severity: inner.severity === 'unknown' ? outer.severity : inner.severity,
    body: outer.body,
  };
}

/** The inner line's own word first; what its format implies last. */
function serviceOf(inner: LogRecord, outer: LogRecord): Pick<LogRecord, 'service' | 'serviceInferred'> {
  if (inner.service !== undefined && !inner.serviceInferred) return { service: inner.service };
  if (outer.service !== undefined) return { service: outer.service, serviceInferred: outer.serviceInferred };
  return { service: inner.service, serviceInferred: inner.serviceInferred };
}
