import { ACCESS_LOG } from './access-log.format.js';
import { APPLICATION_LOG, LEVEL_LINE } from './application-log.format.js';
import { CONTAINER_LOGS } from './container-logs.format.js';
import { JSON_DOCUMENT } from './json-document.format.js';
import { JSON_LINES } from './json-lines.format.js';
import { KLOG } from './klog.format.js';
import { KUBERNETES_TABLE } from './kubernetes-table.format.js';
import { type LogFormat } from './log-format.js';
import { LOGFMT } from './logfmt.format.js';
import { PROSE } from './prose.format.js';
import { SYSLOG_3164, SYSLOG_5424 } from './syslog.format.js';
import { REDIS_LOG } from './redis-log.format.js';
import { TRACE_FORMATS } from './trace-in-text.js';
import { APACHE_ERROR, NGINX_ERROR } from './web-error-log.format.js';

/** Formats in the order they are tried; the first that knows a line reads it. To add one, write its file and put it here. */
export const FORMATS: readonly LogFormat[] = [
  JSON_LINES,
  JSON_DOCUMENT,
  SYSLOG_5424,
  SYSLOG_3164,
  ACCESS_LOG,
  NGINX_ERROR,
  APACHE_ERROR,
  KUBERNETES_TABLE,
  KLOG,
  CONTAINER_LOGS,
  REDIS_LOG,
  ...TRACE_FORMATS,
  LOGFMT,
  APPLICATION_LOG,
  LEVEL_LINE,
  PROSE,
];

/** What may stand inside a syslog or container line. */
export const BODY_FORMATS: readonly LogFormat[] = [
  JSON_LINES,
  NGINX_ERROR,
  ACCESS_LOG,
  APACHE_ERROR,
  KLOG,
  REDIS_LOG,
  LOGFMT,
  APPLICATION_LOG,
  LEVEL_LINE,
];

const TITLES = new Map(FORMATS.map(({ id, title }) => [id, title]));

/** The name of a format for people. */
export function formatTitle(id: string): string {
  if (id.startsWith('json-') && !TITLES.has(id)) return `JSON lines (${id.slice('json-'.length)})`;
  return TITLES.get(id) ?? (id === 'kubernetes-events-json' ? 'Kubernetes events (JSON)' : id);
}
