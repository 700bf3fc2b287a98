import { type TextLines } from '../input/text-lines.js';
import { type LineRange } from '../line-range.js';
import { type Frame } from '../stack-trace.js';
import { type LogFormat } from './log-format.js';

const START = /^(panic|fatal error): (.{1,2000})$/;
const SIGNAL = /^(?:\[signal |\tpanic: |panic: )/;
const GOROUTINE = /^goroutine \d{1,12} [^:]{0,200}:$/;
const PLACE = /^\s{1,16}(\S{1,400}\.(?:go|s):\d{1,7})(?: \+0x[\da-f]{1,16})?$/;
const LIBRARY = /\/(?:usr\/local\/go|go\/src|golang|hostedtoolcache)\/|\/pkg\/mod\/|^\S*\/src\/(?:runtime|net|internal)\//;

/** Go panics and fatal runtime errors. Frames are those of the goroutine that failed; the others are read and left out. */
export const GO_PANIC: LogFormat = {
  id: 'go-panic',
  title: 'Go panic',
  read(lines, at) {
    const match = START.exec(lines.text(at));
    if (!match) return undefined;
    const { frames, to } = goroutines(lines, at);
    if (frames.length === 0) return undefined;
    const type = match[1] ?? '';
    const message = (match[2] ?? '').replace(/ \[recovered\]$/, '');
    const line = lines.number(at);
    const chain = [{ type, message, line, frames, suppressed: false }];
    const record = { from: line, to: lines.number(to), format: this.id, message: `${type}: ${message}`, severity: 'fatal' } as const;
    return { records: [{ ...record, trace: { language: 'go', chain } }], to };
  },
};

function goroutines(lines: TextLines, at: number): { readonly frames: readonly Frame[]; readonly to: number } {
  const frames: Frame[] = [];
  let seen = 0;
  let to = at;
  for (let next = at + 1; next <= lines.count; next += 1) {
    const text = lines.text(next);
    if (text === '') continue;
    const place = PLACE.exec(lines.text(next + 1));
    if (GOROUTINE.test(text)) seen += 1;
    else if (place && seen > 0) {
      const call = callIn(text);
      if (seen === 1)
        frames.push({ call, place: place[1] ?? '', ...rangeOf(lines, next), application: isApplication(call, place[1] ?? '') });
      next += 1;
    } else if (!(seen === 0 && SIGNAL.test(text)) && !/^exit status \d+$/.test(text)) break;
    to = next;
  }
  return { frames, to };
}

/** A call and, below it, its place. */
function rangeOf(lines: TextLines, at: number): LineRange {
  return { from: lines.number(at), to: lines.number(at + 1) };
}

function isApplication(call: string, place: string): boolean {
  return !LIBRARY.test(place) && !/^(?:runtime|panic|net\/|internal\/)/.test(call);
}

/** The function without its arguments, which are the last pair of parentheses: `rules.(*Engine).Apply(0xc000…)`. */
function callIn(text: string): string {
  const call = text.replace(/^created by /, '').replace(/ in goroutine \d{1,12}$/, '');
  if (!call.endsWith(')')) return call;
  let depth = 0;
  for (let at = call.length - 1; at > 0; at -= 1) {
    if (call[at] === ')') depth += 1;
    else if (call[at] === '(') depth -= 1;
    if (depth === 0) return call.slice(0, at);
  }
  return call;
}
