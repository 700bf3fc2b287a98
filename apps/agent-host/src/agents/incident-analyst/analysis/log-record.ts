import { type LineRange } from './line-range.js';
import { type StackTrace } from './stack-trace.js';
import { type SymptomRule } from './findings/symptom-rule.js';

/** Worst first; `unknown` where the input says nothing. */
export type Severity = 'fatal' | 'error' | 'warning' | 'info' | 'debug' | 'unknown';

/**
 * A point in time as far as the input tells it.
 *
 * | kind | `ms` |
 * | --- | --- |
 * | `absolute` | Unix epoch |
 * | `clock` | since midnight; the input names no date |
 * | `age` | minus the age, for listings that say `3m20s` ago |
 */
export interface Moment {
  readonly ms: number;
  readonly kind: 'absolute' | 'clock' | 'age';
  /** The input names the offset from UTC. */
  readonly zoned: boolean;
  /** The offset as written, when it is not UTC. */
  readonly offset?: string;
  /** Year missing in the input; `ms` is in the year 2000 until it is settled. */
  readonly yearless?: boolean;
  /** The year is missing in the input and nothing in it tells; it was taken from today's date. */
  readonly guessedYear?: boolean;
  /** Part of it was worked out from other lines. */
  readonly approximate?: boolean;
}

/** What an access log line says of one request. */
export interface HttpExchange {
  readonly status: number;
  readonly method?: string;
  /** Path without its query. */
  readonly route?: string;
}

/** One log line, event or trace: the facts that the analysis works on. Built by a format, completed by the reader. */
export interface LogRecord extends LineRange {
  readonly format: string;
  /** A short name the input gives to what happened, such as the reason of a Kubernetes event. */
  readonly label?: string;
  /** What happened, in the words of the input. */
  readonly message: string;
  /** The error behind the message, where the input tells the two apart. */
  readonly detail?: string;
  readonly severity: Severity;
  readonly time?: Moment;
  readonly service?: string;
  /** The service is known from the format, and not written in the lines. */
  readonly serviceInferred?: boolean;
  readonly host?: string;
  /** Request, trace and correlation ids. */
  readonly ids?: readonly string[];
  readonly http?: HttpExchange;
  readonly trace?: StackTrace;
  /** How often it happened, where the input counts by itself. Default 1. */
  readonly repeats?: number;
  /** Text that may be a log line of another format, as in syslog or container logs. */
  readonly body?: string;
}

/** A record after everything is known about it. */
export interface KnownRecord extends LogRecord {
  /** What it is a sign of; the most specific first. */
  readonly symptoms: readonly SymptomRule[];
  /** Something went wrong here. */
  readonly problem: boolean;
  /** Of a problem: what it is the same as; see `signatureOf`. */
  readonly signature?: string;
  /** For ordering only: own time, or that of the record before it. */
  readonly orderMs: number;
}

/** Everything a record says, for matching and grouping. */
export function wordsOf({ label, message, detail }: LogRecord): string {
  return [label, message, detail].filter((text) => text !== undefined && text !== '').join(': ');
}
