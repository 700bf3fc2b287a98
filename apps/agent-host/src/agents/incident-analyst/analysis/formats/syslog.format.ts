import { timeAt } from '../input/timestamps.js';
import { severityOfSyslog, severityOfWord } from '../severity.js';
import { type LogFormat, oneLine } from './log-format.js';

const PRI = /^<(\d{1,3})>/;
const HOST_TAG = /^ (\S{1,255}) ([A-Za-z_][\w./@()-]{0,80})(?:\[(\d{1,10})\])?:(?: |$)/;

/**
 * RFC 3164: `<34>Oct 11 22:14:15 mymachine su[231]: 'su root' failed`, with or without the priority, and with the ISO time that
 * rsyslog writes.
 */
export const SYSLOG_3164: LogFormat = {
  id: 'syslog-rfc3164',
  title: 'syslog (RFC 3164)',
  read(lines, at) {
    const text = lines.text(at);
    const pri = PRI.exec(text);
    const start = pri ? pri[0].length : 0;
    const found = timeAt(text, start);
    if (!found || found.time.kind !== 'absolute') return undefined;
    const head = HOST_TAG.exec(text.slice(found.end));
    if (!head || severityOfWord(head[1] ?? '') || severityOfWord(head[2] ?? '')) return undefined;
    // An ISO time alone is an application's own log line as often as rsyslog's; a process id or priority tells them apart.
    if (!found.time.yearless && !pri && !head[3] && head[2] !== 'kernel') return undefined;
    const body = text.slice(found.end + head[0].length);
    const severity = pri ? severityOfSyslog(Number(pri[1]) % 8) : 'unknown';
    return oneLine(lines, at, { format: this.id, message: body, body, severity, time: found.time, host: head[1], service: head[2] });
  },
};

const HEADER = /^<(\d{1,3})>1 (\S{1,64}) (\S{1,255}) (\S{1,48}) (\S{1,128}) (\S{1,32}) /;

/** RFC 5424: `<165>1 2026-11-30T12:00:00Z host app 1234 ID47 [sd@1 key="value"] message`. */
export const SYSLOG_5424: LogFormat = {
  id: 'syslog-rfc5424',
  title: 'syslog (RFC 5424)',
  read(lines, at) {
    const text = lines.text(at);
    const header = HEADER.exec(text);
    if (!header) return undefined;
    const [, pri, time, host, app] = header;
    const body = text.slice(afterStructuredData(text, header[0].length)).replace(/^\ufeff/, '');
    return oneLine(lines, at, {
      format: this.id,
      message: body,
      body,
      severity: severityOfSyslog(Number(pri) % 8),
      time: timeAt(time ?? '')?.time,
      host: nil(host),
      service: nil(app),
    });
  },
};

function nil(value: string | undefined): string | undefined {
  return value === '-' ? undefined : value;
}

/** Structured data is `-` or `[…]` blocks, in whose quoted values `"`, `\` and `]` are escaped (RFC 5424 §6.3.3). */
function afterStructuredData(text: string, start: number): number {
  let at = start;
  if (text[at] === '-') at += 1;
  let quoted = false;
  for (let open = false; text[at] === '[' || open; at += 1) {
    const character = text[at];
    if (character === undefined) return start;
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === '[') open = true;
    else if (!quoted && character === ']') open = false;
  }
  return text[at] === ' ' ? at + 1 : at;
}
