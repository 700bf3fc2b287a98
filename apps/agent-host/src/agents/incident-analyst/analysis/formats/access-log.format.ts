import { timeAt } from '../input/timestamps.js';
import { severityOfStatus } from '../severity.js';
import { idsIn } from './request-ids.js';
import { type LogFormat, oneLine } from './log-format.js';

const LINE =
  /^(?:[\w.-]{1,253}(?::\d{1,5})? )?([\da-fA-F.:]{2,45}|[\w.-]{1,253}) \S{1,64} ([^[\s]{1,128}) \[([^\]]{20,40})\] "([^"]{0,4000})" (\d{3}) (?:\d{1,15}|-)(.*)$/;
const REQUEST = /^([A-Z]{3,10}) (\S{1,3900})(?: HTTP\/[\d.]{1,4})?$/;

/** Common and combined log format of Apache and nginx, with whatever a site adds after it. */
export const ACCESS_LOG: LogFormat = {
  id: 'access-log',
  title: 'web access log',
  read(lines, at) {
    const match = LINE.exec(lines.text(at));
    const found = match && timeAt(match[3] ?? '');
    if (!match || !found) return undefined;
    const [, , , , request = '', code = '', rest = ''] = match;
    const status = Number(code);
    const asked = REQUEST.exec(request);
    return oneLine(lines, at, {
      format: this.id,
      message: `"${request}" ${code}`,
      severity: severityOfStatus(status),
      time: found.time,
      http: { status, method: asked?.[1], route: asked?.[2]?.split('?', 1)[0] },
      ids: idsIn(rest),
    });
  },
};
