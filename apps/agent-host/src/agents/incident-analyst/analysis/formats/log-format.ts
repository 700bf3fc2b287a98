import { type TextLines } from '../input/text-lines.js';
import { type LogRecord } from '../log-record.js';

/** What a format made of some lines. */
export interface Reading {
  /** In the order of the input, made as they are asked for; may be empty for lines that belong to the format and say nothing, such as a table's header. */
  readonly records: Iterable<LogRecord>;
  /** The last line read, an index into the lines that were given. */
  readonly to: number;
}

/**
 * One way of writing logs. A format is one file and one line in `format.registry.ts`.
 *
 * - `read` looks at the line `at` and answers undefined unless that line is of this format.
 * - Its work is proportional to the lines it answers for; further looking ahead needs `lines.mayLookAhead`.
 * - Patterns look at no more than `MATCHED_LENGTH` characters, and never repeat a repetition without bounds (`patterns.spec.ts` checks
 *   every one), so that no line can keep the analysis busy for long.
 */
export interface LogFormat {
  /** Stable name, as in the data artifact. */
  readonly id: string;
  /** For people. */
  readonly title: string;
  read(lines: TextLines, at: number): Reading | undefined;
}

/** A reading of exactly one line. */
export function oneLine(lines: TextLines, at: number, facts: Omit<LogRecord, 'from' | 'to'>): Reading {
  const line = lines.number(at);
  return { records: [{ ...facts, from: line, to: line }], to: at };
}

/** The record of a reading of one. */
export function onlyRecord(reading: Reading | undefined): LogRecord | undefined {
  for (const record of reading?.records ?? []) return record;
  return undefined;
}

/** What a record above a stack trace says of it. */
export interface Headline {
  readonly text: string;
  /** Line of the input. */
  readonly line: number;
  /** The record is a warning or error, so frames below it are its own even when it names no exception. */
  readonly isTrouble: boolean;
}
