import { type TextLines } from '../input/text-lines.js';
import { type LogRecord } from '../log-record.js';
import { javaFramesBelow } from './java-trace.format.js';
import { type Headline, type Reading } from './log-format.js';
import { nodeFramesBelow } from './node-trace.format.js';

/** The trace whose frames begin on line `at`, right below a record. */
export function framesBelow(lines: TextLines, at: number, record: LogRecord): Reading | undefined {
  const { severity, message, detail } = record;
  if (severity === 'info' || severity === 'debug') return undefined;
  const isTrouble = severity === 'error' || severity === 'fatal' || severity === 'warning';
  const headline: Headline = { text: detail ?? message, line: record.to, isTrouble };
  return javaFramesBelow(lines, at, headline) ?? nodeFramesBelow(lines, at, headline);
}
