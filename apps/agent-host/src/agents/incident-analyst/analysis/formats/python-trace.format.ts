import { type TextLines } from '../input/text-lines.js';
import { type Frame, type Thrown, titleOf } from '../stack-trace.js';
import { type LogFormat } from './log-format.js';

const START = /^\s{0,40}(?:[A-Z]{4,8}:[\w.]{1,80}:.{0,200})?Traceback \(most recent call last\):$/;
const FRAME = /^\s{1,60}File "([^"]{1,400})", line (\d{1,7})(?:, in (.{1,200}))?$/;
const RAISED = /^\s{0,40}([A-Za-z_][\w.]{0,200})(?:: (.*))?$/;
const LINK =
  /^\s{0,40}(?:During handling of the above exception, another exception occurred:|The above exception was the direct cause of the following exception:)$/;
const LIBRARY = /(?:site-packages|dist-packages|\/lib\/python\d|\/usr\/lib\/python|<frozen |<string>|\\Lib\\)/;
/** Source lines and markers that may follow one frame. */
const LINES_A_FRAME = 6;

/** Python tracebacks, chained ones included. Python prints the first exception first, so its order is turned round. */
export const PYTHON_TRACE: LogFormat = {
  id: 'python-trace',
  title: 'Python traceback',
  read(lines, at) {
    if (!START.test(lines.text(at))) return undefined;
    const printed: Thrown[] = [];
    let to = at;
    for (let start: number | undefined = at; start !== undefined;) {
      const block = oneTraceback(lines, start);
      if (!block) break;
      printed.push(block.thrown);
      to = block.to;
      start = nextInChain(lines, to);
    }
    const chain = printed.toReversed();
    const [last] = chain;
    if (!last) return undefined;
    const record = { from: lines.number(at), to: lines.number(to), format: this.id, message: titleOf(last), severity: 'error' } as const;
    return { records: [{ ...record, trace: { language: 'python', chain } }], to };
  },
};

function oneTraceback(lines: TextLines, start: number): { readonly thrown: Thrown; readonly to: number } | undefined {
  const frames: Frame[] = [];
  let next = start + 1;
  for (let sinceFrame = 0; next <= lines.count && sinceFrame <= LINES_A_FRAME; next += 1) {
    const text = lines.text(next);
    const frame = FRAME.exec(text);
    if (frame) {
      frames.unshift(frameOf(frame, lines.number(next)));
      sinceFrame = 0;
    } else if (frames.length > 0 && /^\s{4}/.test(text)) sinceFrame += 1;
    else break;
  }
  const raised = frames.length > 0 ? RAISED.exec(lines.text(next)) : null;
  if (!raised) return undefined;
  const [, type = '', message = ''] = raised;
  return { thrown: { type, message, line: lines.number(next), frames, suppressed: false }, to: next };
}

/** The line of the next `Traceback`, when the exception before it led to another. */
function nextInChain(lines: TextLines, after: number): number | undefined {
  let next = after + 1;
  while (next <= after + 2 && lines.text(next).trim() === '') next += 1;
  if (!LINK.test(lines.text(next))) return undefined;
  for (next += 1; next <= lines.count && lines.text(next).trim() === '';) next += 1;
  return START.test(lines.text(next)) ? next : undefined;
}

function frameOf([, file = '', line = '', call = '<module>']: RegExpExecArray, number: number): Frame {
  return { call, place: `"${file}", line ${line}`, from: number, to: number, application: !LIBRARY.test(file) };
}
