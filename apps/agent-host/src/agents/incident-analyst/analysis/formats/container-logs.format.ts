import { timeAt } from '../input/timestamps.js';
import { workloadOf } from './kubernetes-event.js';
import { type LogFormat, oneLine } from './log-format.js';

const CRI = /^(\d{4}-\d\d-\d\dT\S{8,30}) (?:stdout|stderr) [FP] (.*)$/;
const COMPOSE = /^([\w.-]{1,64}[-_]\d{1,4}) {1,40}\| ?(.*)$/;
const KUBECTL = /^\[pod\/([\w.-]{1,253})\/([\w.-]{1,63})\] (.*)$/;

/** What container runtimes and their tools put before a line: CRI log files, `docker compose logs`, `kubectl logs --prefix`. */
export const CONTAINER_LOGS: LogFormat = {
  id: 'container-logs',
  title: 'container logs',
  read(lines, at) {
    const text = lines.text(at);
    const facts = { format: this.id, severity: 'unknown' } as const;
    const cri = CRI.exec(text);
    if (cri) return oneLine(lines, at, { ...facts, time: timeAt(cri[1] ?? '')?.time, message: cri[2] ?? '', body: cri[2] ?? '' });
    const compose = COMPOSE.exec(text);
    if (compose) {
      const service = compose[1]?.replace(/[-_]\d{1,4}$/, '');
      return oneLine(lines, at, { ...facts, service, message: compose[2] ?? '', body: compose[2] ?? '' });
    }
    const pod = KUBECTL.exec(text);
    return pod ? oneLine(lines, at, { ...facts, service: workloadOf(pod[1] ?? ''), message: pod[3] ?? '', body: pod[3] ?? '' }) : undefined;
  },
};
