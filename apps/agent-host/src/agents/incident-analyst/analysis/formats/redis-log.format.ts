import { timeAt } from '../input/timestamps.js';
import { type Severity } from '../log-record.js';
import { type LogFormat, oneLine } from './log-format.js';

const LINE = /^\d{1,10}:[XCSM] (\d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d\.\d{3}) ([.*#-]) (.*)$/;
const LEVELS: Readonly<Record<string, Severity>> = { '.': 'debug', '-': 'debug', '*': 'info', '#': 'warning' };

/** `1:M 30 Nov 2026 16:04:58.201 # User requested shutdown...` */
export const REDIS_LOG: LogFormat = {
  id: 'redis',
  title: 'Redis log',
  read(lines, at) {
    const match = LINE.exec(lines.text(at));
    if (!match) return undefined;
    const [, time = '', mark = '', message = ''] = match;
    return oneLine(lines, at, {
      format: this.id,
      message,
      severity: LEVELS[mark] ?? 'unknown',
      time: timeAt(time)?.time,
      service: 'redis',
      serviceInferred: true,
    });
  },
};
