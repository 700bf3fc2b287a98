import { timeOfValue } from '../input/timestamps.js';
import { type LogRecord, type Severity } from '../log-record.js';
import { isObject, type JsonObject, words } from './json-fields.js';

/** Reasons of Warning events that mean something has broken; the others warn. */
const BREAKING =
  /^(?:Failed\w*|BackOff|OOMKilling|SystemOOM|Evicted|Unhealthy|CrashLoopBackOff|ErrImage\w*|ImagePull\w*|NodeNotReady|FreeDiskSpaceFailed|DeadlineExceeded|BackoffLimitExceeded|NetworkNotReady|Error\w*)$/;

export function severityOfEvent(type: string, reason: string): Severity {
  if (type === 'Normal') return 'info';
  return BREAKING.test(reason) ? 'error' : 'warning';
}

/** The workload behind a pod's generated name: `pod/payments-7d9f8b6c5-x2x9k` is of `payments`. */
export function workloadOf(object: string): string {
  const name = object.slice(object.indexOf('/') + 1).split(' ', 1)[0] ?? object;
  return name.replace(/-[a-f0-9]{8,10}(?:-[a-z0-9]{5})?$/, '').replace(/-[a-z0-9]{5}$/, (tail) => (/\d/.test(tail) ? '' : tail));
}

/** A Kubernetes Event, bare or inside a watch envelope; undefined for any other object. */
export function kubernetesEvent(entry: JsonObject, from: number, to: number): LogRecord | undefined {
  const event = isObject(entry['object']) ? entry['object'] : entry;
  const about = isObject(event['involvedObject']) ? event['involvedObject'] : event['regarding'];
  if (!isObject(about) || typeof event['reason'] !== 'string') return undefined;
  const type = typeof event['type'] === 'string' ? event['type'] : 'Normal';
  const series = isObject(event['series']) ? event['series'] : {};
  const count = Number(event['count'] ?? series['count'] ?? 1);
  const name = words(about, ['name']);
  const time = [event['firstTimestamp'], event['eventTime'], event['lastTimestamp'], series['lastObservedTime']];
  return {
    from,
    to,
    format: 'kubernetes-events-json',
    label: words(event, ['reason']),
    message: words(event, ['message', 'note']) ?? '',
    severity: severityOfEvent(type, event['reason']),
    time: time.map((value) => timeOfValue(value)).find((value) => value !== undefined),
    service: name === undefined ? undefined : workloadOf(name),
    repeats: Number.isInteger(count) && count > 0 ? count : 1,
  };
}
