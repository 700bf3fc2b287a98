import { timeAt } from '../input/timestamps.js';
import { severityOfWord } from '../severity.js';
import { idsIn } from './request-ids.js';
import { type LogFormat, oneLine } from './log-format.js';

const NGINX = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \[(\w{3,8})\] \d{1,10}#\d{1,10}: (?:\*\d{1,20} )?(.*)$/;

/** `2026/11/30 12:00:00 [error] 31#31: *4711 connect() failed …` */
export const NGINX_ERROR: LogFormat = {
  id: 'nginx-error',
  title: 'nginx error log',
  read(lines, at) {
    const text = lines.text(at);
    const match = NGINX.exec(text);
    if (!match) return undefined;
    const [, level = '', message = ''] = match;
    const severity = severityOfWord(level) ?? 'unknown';
    return oneLine(lines, at, {
      format: this.id,
      message,
      severity,
      time: timeAt(text)?.time,
      service: 'nginx',
      serviceInferred: true,
      ids: idsIn(message),
    });
  },
};

const APACHE =
  /^\[([A-Z][^\]]{19,34})\] \[(?:[\w-]{1,32}:)?(\w{3,8})\] (?:\[pid [^\]]{1,40}\] )?(?:\[(?:client|remote) [^\]]{1,80}\] )?(.*)$/;

/** `[Mon Nov 30 12:00:00.123456 2026] [proxy:error] [pid 4711:tid 1] [client 10.0.0.9:51234] AH00957: …` */
export const APACHE_ERROR: LogFormat = {
  id: 'apache-error',
  title: 'Apache error log',
  read(lines, at) {
    const match = APACHE.exec(lines.text(at));
    const found = match && timeAt(match[1] ?? '');
    const severity = match && severityOfWord(match[2] ?? '');
    if (!match || !found || !severity) return undefined;
    return oneLine(lines, at, {
      format: this.id,
      message: match[3] ?? '',
      severity,
      time: found.time,
      service: 'apache',
      serviceInferred: true,
    });
  },
};
