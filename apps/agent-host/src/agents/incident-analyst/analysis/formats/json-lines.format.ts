import { kubernetesEvent } from './kubernetes-event.js';
import { isObject, jsonRecord } from './json-fields.js';
import { type LogFormat } from './log-format.js';

/** One JSON object a line: pino, bunyan, winston, zap, GELF and their like, and Kubernetes events from a watch. */
export const JSON_LINES: LogFormat = {
  id: 'json-lines',
  title: 'JSON lines',
  read(lines, at) {
    const text = lines.full(at).trim().replace(/,$/, '');
    if (!text.startsWith('{') || !text.endsWith('}')) return undefined;
    const entry = parsed(text);
    if (!isObject(entry)) return undefined;
    const line = lines.number(at);
    const record = kubernetesEvent(entry, line, line) ?? jsonRecord(entry, line, line);
    return record && { records: [record], to: at };
  },
};

/** The value of a JSON text; undefined when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
