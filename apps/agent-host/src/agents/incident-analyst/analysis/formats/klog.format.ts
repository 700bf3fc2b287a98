import { timeAt } from '../input/timestamps.js';
import { type Severity } from '../log-record.js';
import { type LogFormat, oneLine } from './log-format.js';

const LINE = /^([IWEF])(\d\d)(\d\d) (\d\d:\d\d:\d\d\.\d{1,6}) {1,12}\d{1,10} ([\w.-]{1,80}:\d{1,6})\] (.*)$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const LEVELS: Readonly<Record<string, Severity>> = { I: 'info', W: 'warning', E: 'error', F: 'fatal' };

/** What the components of Kubernetes write: `E1130 12:00:00.123456    4711 kubelet.go:42] message`. */
export const KLOG: LogFormat = {
  id: 'klog',
  title: 'klog',
  read(lines, at) {
    const match = LINE.exec(lines.text(at));
    if (!match) return undefined;
    const [, level = '', month, day, clock, , message = ''] = match;
    const time = timeAt(`${MONTHS[Number(month) - 1]} ${day} ${clock}`)?.time;
    return oneLine(lines, at, { format: this.id, message, severity: LEVELS[level] ?? 'unknown', time });
  },
};
