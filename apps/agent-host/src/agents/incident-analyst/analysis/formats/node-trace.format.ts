import { type TextLines } from '../input/text-lines.js';
import { type Frame, surfaced, type Thrown, titleOf } from '../stack-trace.js';
import { type Headline, type LogFormat, type Reading } from './log-format.js';

const TYPE = '[A-Z][\\w$]{0,80}(?:Error|Exception|Warning|Rejection)|Error|DOMException';
const HEADER = new RegExp(`^\\s{0,20}(?:Uncaught |\\[)?(${TYPE})(?: \\[([A-Z_0-9]{3,60})\\])?(?:: (.*))?$`);
const HEADER_AT_END = new RegExp(`(?:^|[\\s:(])(${TYPE})(?: \\[[A-Z_0-9]{3,60}\\])?(?:: (.*))?$`, 's');
const CAUSE = new RegExp(`^\\s{1,40}\\[(?:cause|errors)\\]: (${TYPE})(?: \\[[A-Z_0-9]{3,60}\\])?(?:: (.*))?$`);
const FRAME = /^\s{1,40}at (?:async )?(?:([^()]{1,200}) \(([^()]{1,400})\)|([^\s()]{1,400}))(?: \{)?$/;
const PLACE = /:\d{1,7}:\d{1,7}$|^native$|^<anonymous>$|^node:/;
const LIBRARY = /node_modules|^node:|^internal\/|^native$|<anonymous>/;
const PROPERTIES = /^\s{0,40}(?:[\w$']{1,60}: .{0,400}|\}[},\s]{0,20}|\[[\w ]{1,40}\].{0,400})$/;
/** Lines of a message that goes on before the first frame. */
const MESSAGE_LINES = 4;

/** Node.js stack traces with `[cause]` chains and the properties that Node prints after the frames. */
export const NODE_TRACE: LogFormat = {
  id: 'node-trace',
  title: 'Node.js stack trace',
  read(lines, at) {
    const match = HEADER.exec(lines.text(at));
    if (!match) return undefined;
    return nodeTrace(lines, at, { type: match[1] ?? '', message: match[3] ?? '' });
  },
};

/** A trace whose frames begin on line `at` and whose header is the end of the log line above. */
export function nodeFramesBelow(lines: TextLines, at: number, { text, line, isTrouble }: Headline): Reading | undefined {
  if (!frameIn(lines, at)) return undefined;
  const match = HEADER_AT_END.exec(text);
  if (!match && !isTrouble) return undefined;
  return nodeTrace(lines, at - 1, { type: match?.[1] ?? text, message: match?.[2] ?? '' }, line);
}

interface Open extends Thrown {
  readonly frames: Frame[];
}

function nodeTrace(
  lines: TextLines,
  at: number,
  header: { readonly type: string; readonly message: string },
  line = lines.number(at),
): Reading | undefined {
  const chain: Open[] = [{ ...header, line, frames: [], suppressed: false }];
  let to = at;
  for (let next = at + 1; next <= lines.count; next += 1) {
    const frame = frameIn(lines, next);
    const cause = frame ? null : CAUSE.exec(lines.text(next));
    if (frame) chain.at(-1)?.frames.push(frame);
    else if (cause) chain.push({ type: cause[1] ?? '', message: cause[2] ?? '', line: lines.number(next), frames: [], suppressed: false });
    else if (chain.at(-1)?.frames.length) {
      if (!PROPERTIES.test(lines.text(next)) || (!lines.text(to).trimEnd().endsWith('{') && !inProperties(lines, to))) break;
    } else if (next - to > MESSAGE_LINES || !followedByFrame(lines, next)) break;
    else continue;
    to = next;
  }
  if (chain.every(({ frames }) => frames.length === 0)) return undefined;
  const trace = { language: 'node', chain } as const;
  const record = {
    from: line,
    to: lines.number(to),
    format: NODE_TRACE.id,
    message: titleOf(surfaced(trace)),
    severity: 'error',
    trace,
  } as const;
  return { records: [record], to };
}

/** The line before was a property of the error object, so this one may be too. */
function inProperties(lines: TextLines, at: number): boolean {
  return !frameIn(lines, at) && PROPERTIES.test(lines.text(at)) && !lines.text(at).startsWith('}');
}

function frameIn(lines: TextLines, at: number): Frame | undefined {
  const match = FRAME.exec(lines.text(at));
  const place = match?.[2] ?? match?.[3] ?? '';
  if (!match || !PLACE.test(place)) return undefined;
  const line = lines.number(at);
  return { call: match[1] ?? '', place, from: line, to: line, application: !LIBRARY.test(place) };
}

function followedByFrame(lines: TextLines, at: number): boolean {
  for (let next = at + 1; next <= at + MESSAGE_LINES; next += 1) if (frameIn(lines, next)) return true;
  return false;
}
