import { type TextLines } from '../input/text-lines.js';
import { type Frame, surfaced, type Thrown, titleOf } from '../stack-trace.js';
import { type Headline, type LogFormat, type Reading } from './log-format.js';

const TYPE = '(?:[A-Za-z_$][\\w$]*\\.){1,30}[A-Z][\\w$]*';
const HEADER = new RegExp(`^(?:Exception in thread "[^"]{0,200}" )?(${TYPE})(?:: (.*))?$`);
const HEADER_AT_END = new RegExp(`(?:^|[\\s:;(])(${TYPE})(?:: (.*))?$`, 's');
const CHAINED = new RegExp(`^\\s{0,40}(Caused by|Suppressed|Wrapped by): (${TYPE}|[A-Z][\\w$]{0,200})(?:: (.*))?$`);
const FRAME = /^\s{1,40}at ([\w$.<>/@-]{1,400})\(([^()]{0,300})\)/;
const MORE = /^\s{1,40}\.\.\. \d{1,6} (?:more|common frames omitted)/;
/** Lines of a message that goes on before the first frame. */
const MESSAGE_LINES = 4;

const LIBRARY =
  /^(?:app\/\/|java\.base\/)?(?:java|javax|jakarta|jdk|sun|com\.sun|kotlin|kotlinx|scala|akka|groovy|clojure|org\.(?:springframework|apache|hibernate|eclipse|postgresql|jboss|slf4j|junit|mariadb|quartz|glassfish|redisson|elasticsearch|mongodb|thymeleaf|aspectj|xnio|wildfly)|io\.(?:netty|grpc|undertow|micrometer|lettuce|opentelemetry|r2dbc|vertx|quarkus|micronaut|reactivex|github\.resilience4j)|com\.(?:zaxxer|mysql|fasterxml|google|rabbitmq|mongodb|oracle|microsoft|amazonaws|netflix|datastax|github\.benmanes|mchange)|software\.amazon|oracle|reactor|rx|feign|okhttp3?|retrofit2|redis\.clients|ch\.qos|liquibase|net\.sf|lombok)\./;

/** Java and other JVM stack traces: `Caused by` chains, suppressed exceptions, `… n more`. */
export const JAVA_TRACE: LogFormat = {
  id: 'java-trace',
  title: 'Java stack trace',
  read(lines, at) {
    const match = HEADER.exec(lines.text(at));
    if (!match) return undefined;
    return javaTrace(lines, at, { type: match[1] ?? '', message: match[2] ?? '' });
  },
};

/** A trace whose frames begin on line `at` and whose header is the end of the log line above. */
export function javaFramesBelow(lines: TextLines, at: number, { text, line, isTrouble }: Headline): Reading | undefined {
  if (!FRAME.test(lines.text(at)) && !CHAINED.test(lines.text(at))) return undefined;
  const match = HEADER_AT_END.exec(text);
  if (!match && !isTrouble) return undefined;
  return javaTrace(lines, at - 1, { type: match?.[1] ?? text, message: match?.[2] ?? '' }, line);
}

interface Header {
  readonly type: string;
  readonly message: string;
}

interface Open extends Thrown {
  readonly frames: Frame[];
}

function javaTrace(lines: TextLines, at: number, header: Header, line = lines.number(at)): Reading | undefined {
  const chain: Open[] = [{ ...header, line, frames: [], suppressed: false }];
  let to = at;
  let inMessage = true;
  for (let next = at + 1; next <= lines.count; next += 1) {
    const text = lines.text(next);
    const frame = FRAME.exec(text);
    const chained = frame ? null : CHAINED.exec(text);
    if (frame) chain.at(-1)?.frames.push(frameOf(frame, lines.number(next)));
    else if (chained) chain.push(opened(chained, lines.number(next)));
    else if (!MORE.test(text)) {
      if (!inMessage || next - to > MESSAGE_LINES || !followedByFrame(lines, next)) break;
      continue;
    }
    // A cause may have no frames of its own, only `... 3 more`: that ends its message too.
    inMessage = chained !== null;
    to = next;
  }
  if (chain.every(({ frames }) => frames.length === 0)) return undefined;
  return { records: [traceRecord(chain, line, lines.number(to))], to };
}

function frameOf([, call = '', place = '']: RegExpExecArray, line: number): Frame {
  return { call, place, from: line, to: line, application: !LIBRARY.test(call) && place !== 'Native Method' };
}

function opened([, relation, type = '', message = '']: RegExpExecArray, line: number): Open {
  return { type, message, line, frames: [], suppressed: relation === 'Suppressed' };
}

function followedByFrame(lines: TextLines, at: number): boolean {
  for (let next = at + 1; next <= at + MESSAGE_LINES; next += 1) if (FRAME.test(lines.text(next))) return true;
  return false;
}

function traceRecord(chain: readonly Thrown[], from: number, to: number) {
  const trace = { language: 'java', chain } as const;
  return { from, to, format: JAVA_TRACE.id, message: titleOf(surfaced(trace)), severity: 'error', trace } as const;
}
