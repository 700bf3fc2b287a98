import { type TextLines } from '../input/text-lines.js';
import { type LogRecord } from '../log-record.js';

/** What a format made of some lines. */
export interface Reading {
  /** In the order of the input; may be empty for lines that belong to the format and say nothing, such as a table's header. */
  readonly records: readonly LogRecord[];
  /** The last line read, an index into the lines that were given. */
  readonly to: number;
}

/**
 * One way of writing logs. A format is one file and one line in `format.registry.ts`.
 *
 * - `read` looks at the line `at` and answers undefined unless that line is of this format.
 * - Its work is proportional to the lines it answers for; further looking ahead needs `lines.mayLookAhead`.
 * - Patterns have no nested or adjacent repetitions of the same characters, so that matching is linear (a spec checks every pattern).
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
