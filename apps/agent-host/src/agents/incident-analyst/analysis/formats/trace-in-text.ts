import { printable } from '../input/printable.js';
import { LineList } from '../input/text-lines.js';
import { type StackTrace } from '../stack-trace.js';
import { GO_PANIC } from './go-panic.format.js';
import { JAVA_TRACE } from './java-trace.format.js';
import { type LogFormat, onlyRecord } from './log-format.js';
import { NODE_TRACE } from './node-trace.format.js';
import { PYTHON_TRACE } from './python-trace.format.js';

export const TRACE_FORMATS: readonly LogFormat[] = [JAVA_TRACE, PYTHON_TRACE, NODE_TRACE, GO_PANIC];

/** Lines of a text that may stand before its trace. */
const LEADING_LINES = 5;

/** The trace in a text that stands on one line of the input, such as the `stack` of a JSON record. */
export function traceInText(text: string, line: number): StackTrace | undefined {
  const texts = text.split(/\r?\n/, 2_000);
  if (texts.length < 2) return undefined;
  const lines = new LineList(
    texts.map((one) => printable(one)),
    () => line,
  );
  for (let at = 1; at <= Math.min(LEADING_LINES, lines.count); at += 1) {
    for (const format of TRACE_FORMATS) {
      const trace = onlyRecord(format.read(lines, at))?.trace;
      if (trace) return trace;
    }
  }
  return undefined;
}
