import { framesBelow } from './formats/frames-below.js';
import { TRACE_FORMATS } from './formats/trace-in-text.js';
import { onlyRecord } from './formats/log-format.js';
import { LineList } from './input/text-lines.js';
import { type LogRecord } from './log-record.js';
import { worse } from './severity.js';

/** A line that only a trace has; a run without one needs no closer look. */
const TRACE_SIGN = /^\s{1,40}at |^Traceback|^goroutine \d|^\s{0,40}Caused by: /;
/** Longest run of lines looked at together. */
const LONGEST_RUN = 400;

/**
 * Puts stack traces together again that syslog or a container runtime has cut into lines, each with its own prefix.
 * Records pass through in order; lines of one origin are held back until another origin speaks.
 */
export class WrappedTraces {
  readonly #run: LogRecord[] = [];

  constructor(private readonly pass: (record: LogRecord) => void) {}

  take(record: LogRecord): void {
    const [first] = this.#run;
    if (first && (record.body === undefined || !sameOrigin(first, record) || this.#run.length >= LONGEST_RUN)) this.flush();
    if (record.body === undefined) this.pass(record);
    else this.#run.push(record);
  }

  flush(): void {
    const run = this.#run.splice(0);
    if (!run.some(({ body }) => TRACE_SIGN.test(body ?? ''))) {
      for (const record of run) this.pass(record);
      return;
    }
    const lines = new LineList(
      run.map(({ body }) => body ?? ''),
      (index) => run[index - 1]?.from ?? 0,
    );
    for (let at = 1; at <= run.length;) {
      const record = run[at - 1] as LogRecord;
      const reading = traceFrom(lines, at, record);
      const last = run[(reading?.to ?? at) - 1] ?? record;
      this.pass(reading ? withTrace(record, { ...reading.record, to: last.to }) : record);
      at = (reading?.to ?? at) + 1;
    }
  }
}

function sameOrigin(one: LogRecord, other: LogRecord): boolean {
  return one.format === other.format && one.service === other.service && one.host === other.host;
}

/** The trace that starts with the record `at`, or right below it. */
function traceFrom(lines: LineList, at: number, record: LogRecord): { readonly record: LogRecord; readonly to: number } | undefined {
  for (const format of TRACE_FORMATS) {
    for (const start of [at, at + 1]) {
      const reading = format.read(lines, start);
      const trace = onlyRecord(reading);
      if (reading && trace && (start === at || announces(record))) return { record: trace, to: reading.to };
    }
  }
  const below = framesBelow(lines, at + 1, record);
  const trace = onlyRecord(below);
  return below && trace && { record: trace, to: below.to };
}

function announces({ severity }: LogRecord): boolean {
  return severity === 'error' || severity === 'fatal' || severity === 'warning';
}

function withTrace(record: LogRecord, { to, trace, message, severity }: LogRecord): LogRecord {
  const detail = record.message.includes(message) || message.includes(record.message) ? undefined : message;
  const said = message.includes(record.message) ? message : record.message;
  return { ...record, to, trace, message: detail === undefined ? message : said, detail, severity: worse(record.severity, severity) };
}
