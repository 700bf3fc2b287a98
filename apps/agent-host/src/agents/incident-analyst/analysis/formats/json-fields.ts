import { type LogRecord, type Severity } from '../log-record.js';
import { beginning, printable } from '../input/printable.js';
import { MATCHED_LENGTH } from '../input/text-lines.js';
import { timeOfValue } from '../input/timestamps.js';
import { severityOfStatus, severityOfSyslog, severityOfTens, severityOfWord, worse } from '../severity.js';
import { traceInText } from './trace-in-text.js';

export type JsonObject = Readonly<Record<string, unknown>>;

const TIME = ['time', 'timestamp', '@timestamp', 'ts', '@t', 'datetime', 'eventTime', 'date'];
const LEVEL = ['level', 'severity', 'lvl', 'levelname', 'log.level', '@l', 'loglevel'];
const MESSAGE = ['msg', 'message', 'short_message', '@m', 'log', 'event', 'text', 'description', 'full_message'];
const SERVICE = [
  'service',
  'service.name',
  'serviceName',
  'service_name',
  'app',
  'application',
  'container',
  'pod',
  'component',
  'name',
  'logger',
];
const HOST = ['hostname', 'host', 'host.name', 'node'];
const IDS = [
  'trace_id',
  'traceId',
  'trace.id',
  'traceid',
  'request_id',
  'requestId',
  'reqId',
  'req.id',
  'correlation_id',
  'correlationId',
  'x-request-id',
  'transaction.id',
];
const ERROR = ['err', 'error', 'exception', 'cause'];
const STACK = ['stack', 'stack_trace', 'stacktrace', 'exc_info', 'traceback', 'exception', 'error'];
const STATUS = [
  'status',
  'statusCode',
  'status_code',
  'res.statusCode',
  'response.status',
  'http.status_code',
  'http.response.status_code',
];
const METHOD = ['method', 'req.method', 'request.method', 'http.method', 'http.request.method'];
const ROUTE = ['path', 'url', 'req.url', 'request.path', 'http.route', 'http.target', 'url.path'];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A log record in JSON, whichever logger wrote it; undefined for an object without a message, error, time and level. */
export function jsonRecord(entry: JsonObject, from: number, to: number): LogRecord | undefined {
  const error = ERROR.map((name) => entry[name]).find((value) => isObject(value)) as JsonObject | undefined;
  const message = words(entry, MESSAGE) ?? words(entry, ERROR) ?? (error && (words(error, ['message', 'msg', 'type', 'name']) ?? ''));
  const time = TIME.map((name) => timeOfValue(entry[name])).find((value) => value !== undefined);
  const level = severityIn(entry);
  const http = httpIn(entry);
  if (message === undefined && !http && !(time && level)) return undefined;
  const trace = traceIn(entry, error, from);
  const ids = IDS.flatMap((name) => words(entry, [name]) ?? []);
  const detail = error && words(error, ['message', 'msg']);
  const severity = level ?? (http ? severityOfStatus(http.status) : 'unknown');
  return {
    from,
    to,
    format: `json-${flavour(entry)}`,
    message: message ?? '',
    detail: beside(message ?? '', detail ?? words(entry, ERROR)?.split('\n', 1)[0]),
    severity: trace && severity === 'unknown' ? worse(severity, 'error') : severity,
    time,
    service:
      words(entry, SERVICE) ?? (isObject(entry['kubernetes']) ? words(entry['kubernetes'], ['container_name', 'pod_name']) : undefined),
    host: words(entry, HOST),
    ids: ids.length > 0 ? ids : undefined,
    http,
    trace,
  };
}

/** Which logger's habits the object shows. */
function flavour(entry: JsonObject): string {
  if ('short_message' in entry) return 'gelf';
  if (typeof entry['level'] === 'number') return 'v' in entry && 'name' in entry ? 'bunyan' : 'pino';
  if (typeof entry['ts'] === 'number' && typeof entry['level'] === 'string') return 'zap';
  return 'message' in entry && 'level' in entry ? 'winston' : 'lines';
}

function severityIn(entry: JsonObject): Severity | undefined {
  for (const name of LEVEL) {
    const value = valueAt(entry, name);
    if (typeof value === 'number') return value < 10 ? severityOfSyslog(value) : severityOfTens(value);
    if (typeof value === 'string') return severityOfWord(value);
  }
  return undefined;
}

function httpIn(entry: JsonObject): LogRecord['http'] {
  for (const name of STATUS) {
    const status = Number(valueAt(entry, name));
    if (Number.isInteger(status) && status >= 100 && status <= 599) {
      return { status, method: words(entry, METHOD), route: words(entry, ROUTE)?.split('?', 1)[0] };
    }
  }
  return undefined;
}

function traceIn(entry: JsonObject, error: JsonObject | undefined, line: number): LogRecord['trace'] {
  for (const holder of error ? [error, entry] : [entry]) {
    const stack = first(holder, STACK);
    const trace = stack === undefined ? undefined : traceInText(stack, line);
    if (trace) return trace;
  }
  return undefined;
}

/** As `first`, fit to be shown: without control characters, and not endless. */
export function words(entry: JsonObject, names: readonly string[]): string | undefined {
  const text = first(entry, names);
  return text === undefined ? undefined : printable(beginning(text, MATCHED_LENGTH));
}

/** The first of `names` that holds a text or number, as text. A dotted name is a member, or a path to one. */
function first(entry: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = valueAt(entry, name);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return undefined;
}

function valueAt(entry: JsonObject, name: string): unknown {
  if (Object.hasOwn(entry, name)) return entry[name];
  const [head = '', ...rest] = name.split('.');
  const inner = rest.length > 0 && Object.hasOwn(entry, head) ? entry[head] : undefined;
  return isObject(inner) ? valueAt(inner, rest.join('.')) : undefined;
}

/** `detail` unless the message says it already. */
function beside(message: string, detail: string | undefined): string | undefined {
  return detail && !message.includes(detail) ? detail : undefined;
}
