import { ageMs } from '../input/timestamps.js';
import { type LogRecord } from '../log-record.js';
import { severityOfEvent, workloadOf } from './kubernetes-event.js';
import { type LogFormat, oneLine } from './log-format.js';

const HEADER = /^ {0,4}(?:NAMESPACE +)?(?:LAST SEEN|Type +Reason +Age)\b/;
const AGE = '(?<age>(?:\\d{1,6}[smhdy]){1,4}|<unknown>|<invalid>)(?: \\((?:x(?<count>\\d{1,9})(?: over [\\w]{1,16})?)\\))?';
const LISTED = new RegExp(
  `^(?:[a-z0-9-]{1,63} {1,40})?${AGE} {1,40}(?<type>Normal|Warning) {1,40}(?<reason>\\w{1,64}) {1,40}(?<object>[\\w.-]{1,64}/[\\w.-]{1,253}) {1,80}(?<note>\\S.*)$`,
);
const DESCRIBED = new RegExp(
  `^ {2,8}(?<type>Normal|Warning) {1,40}(?<reason>\\w{1,64}) {1,40}${AGE} {1,40}(?<object>[\\w.-]{1,64}) {1,80}(?<note>\\S.*)$`,
);

/** The tables that `kubectl get events` and `kubectl describe` print. Times are ages, counted back from an unknown moment. */
export const KUBERNETES_TABLE: LogFormat = {
  id: 'kubernetes-events',
  title: 'Kubernetes events',
  read(lines, at) {
    const text = lines.text(at);
    const listed = LISTED.exec(text);
    const groups = (listed ?? DESCRIBED.exec(text))?.groups;
    if (!groups) return HEADER.test(text) ? { records: [], to: at } : undefined;
    const { age = '', count, type = '', reason = '', object = '', note = '' } = groups;
    const ago = ageMs(age);
    const facts: Omit<LogRecord, 'from' | 'to'> = {
      format: this.id,
      label: reason,
      message: note,
      severity: severityOfEvent(type, reason),
      time: ago === undefined ? undefined : { ms: -ago, kind: 'age', zoned: true },
      service: listed ? workloadOf(object) : undefined,
      repeats: count ? Number(count) : 1,
    };
    return oneLine(lines, at, facts);
  },
};
