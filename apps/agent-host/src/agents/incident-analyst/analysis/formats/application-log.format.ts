import { timeAt } from '../input/timestamps.js';
import { LEVEL_WORDS, severityOfWord } from '../severity.js';
import { idsIn } from './request-ids.js';
import { type LogFormat, oneLine } from './log-format.js';

/** How far into the line a level word may stand and still be the level. */
const HEAD_LENGTH = 120;
const LEVEL = new RegExp(`(?:^|[\\s[(|<])(${LEVEL_WORDS})(?=[\\s\\]):|>,-]|$)`);
const LOWER_LEVEL = /(?:^|[\s[])(info|warn|warning|error|err|fatal|debug|crit|critical|notice)(?=[\]:])/;
const BRACKET = /\[([^[\]]{1,120})\]/g;
const THREAD =
  /^(?:main|http|nio|exec|pool|thread|worker|scheduling|reactor|epoll|async|task|lettuce|kafka|grpc|netty|qtp|eventloop|\d|#|0x|T\d)/i;
const LOGGER = /^(?:[-:|]\s?|\[[^[\]]{1,120}\]\s{0,4}|\d{1,10}\s(?:---\s)?)+/;
const NAME = /^([A-Za-z_$][\w$.-]{1,120})(?:\s{0,40}:|\s{1,40}-)\s/;
const SERVICE = /^[a-z][a-z0-9]*(?:-[a-z0-9]+){0,6}$/;

/**
 * A time and a level somewhere in the head of the line, as log4j, logback, Spring Boot, Python's logging, PostgreSQL and many
 * home-made loggers write.
 */
export const APPLICATION_LOG: LogFormat = {
  id: 'application-log',
  title: 'application log',
  read(lines, at) {
    const text = lines.text(at);
    const start = text.startsWith('[') ? 1 : 0;
    const found = timeAt(text, start);
    if (!found) return undefined;
    const after = text.slice(found.end).replace(/^\]/, '');
    const head = after.slice(0, HEAD_LENGTH);
    const level = LEVEL.exec(head) ?? LOWER_LEVEL.exec(head);
    const severity = level ? severityOfWord(level[1] ?? '') : undefined;
    if (!level || !severity) {
      const message = after.replace(/^[\s:|-]+/, '');
      return oneLine(lines, at, { format: this.id, message, severity: 'unknown', time: found.time, ids: idsIn(after) });
    }
    const before = head.slice(0, level.index);
    const rest = after
      .slice(level.index + level[0].length)
      .replace(/^[\]):|>,]{1,2}/, '')
      .trimStart();
    const { service, message } = withoutHead(rest, before);
    return oneLine(lines, at, { format: this.id, message, severity, time: found.time, service, ids: idsIn(text) ?? sleuthIds(head) });
  },
};

const LEVEL_FIRST = new RegExp(`^\\[?(${LEVEL_WORDS}|error|Error|warning|Warning|fatal)(?:\\]:?|:)\\s{0,8}(?=\\S)`);
const LEVEL_BARE = new RegExp(`^(${LEVEL_WORDS})\\s{1,8}(?=\\S)`);

/** A level without a time: `ERROR: …`, `[WARN] …`. */
export const LEVEL_LINE: LogFormat = {
  id: 'level-line',
  title: 'lines with a level',
  read(lines, at) {
    const text = lines.text(at);
    const match = LEVEL_FIRST.exec(text) ?? LEVEL_BARE.exec(text);
    const severity = match && severityOfWord(match[1] ?? '');
    if (!match || !severity) return undefined;
    const { service, message } = withoutHead(text.slice(match[0].length), '');
    return oneLine(lines, at, { format: this.id, message, severity, service, ids: idsIn(text) });
  },
};

/** Takes thread, process and logger off the front, and finds the service among them. */
function withoutHead(rest: string, before: string): { readonly service: string | undefined; readonly message: string } {
  const decoration = LOGGER.exec(rest)?.[0] ?? '';
  const named = NAME.exec(rest.slice(decoration.length));
  const message = rest.slice(decoration.length + (named?.[0].length ?? 0)).trimStart();
  const words = before
    .replace(BRACKET, ' ')
    .trim()
    .split(/\s+/)
    .concat(named?.[1] ?? []);
  const service = bracketed(`${before} ${decoration}`) ?? words.find((word) => SERVICE.test(word) && !THREAD.test(word));
  return { service, message: message === '' ? rest : message };
}

function bracketed(text: string): string | undefined {
  for (const [, inside = ''] of text.matchAll(BRACKET)) {
    const name = inside.split(',', 1)[0]?.trim() ?? '';
    if (SERVICE.test(name) && !THREAD.test(name)) return name;
  }
  return undefined;
}

/** Spring's `[service,traceId,spanId]`. */
function sleuthIds(head: string): readonly string[] | undefined {
  const match = /\[[\w-]{0,64},([0-9a-f]{16,32}),[0-9a-f]{16}/.exec(head);
  return match?.[1] ? [match[1]] : undefined;
}
