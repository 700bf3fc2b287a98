import { type LogRecord, wordsOf } from '../log-record.js';
import { applicationFrame, rootCause } from '../stack-trace.js';

/** Text beyond this makes no signature better. */
const LOOKED_AT = 1_000;
const SIGNATURE_LENGTH = 240;

/** What varies from one occurrence to the next, and what stands for it; earlier masks see the text first. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, '<uuid>'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)?/g, '<time>'],
  [/\b[a-z][a-z\d+.]{1,15}:\/\/[^\s"'<>)]{1,500}/gi, '<url>'],
  [/\b[\w.+]{1,64}@[\w.-]{1,100}/g, '<email>'],
  [/\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d{1,5})?\b/g, '<ip>'],
  [/(?<![\w:])(?:[\da-f]{0,4}:){3,7}[\da-f]{1,4}(?![\w:])/gi, '<ip>'],
  [/(?<![\w<])(?:[A-Za-z]:)?(?:[\\/][\w.@%+~-]{1,100}){1,40}[\\/]?/g, '<path>'],
  [/"[^"]{0,200}"/g, '<text>'],
  [/(?<!\w)'[^']{1,200}'(?!\w)/g, '<text>'],
  [/\b0x[\da-f]{1,64}\b/gi, '<hex>'],
  [/\b(?=[a-f]{0,40}\d)[\da-f]{8,64}\b/gi, '<hex>'],
  [/(?<![\w<])-?\d{1,20}(?:[.,]\d{1,20}){0,4}(?=[a-zA-Z%]{0,3}(?![\w<]))/g, '<n>'],
  [/\d{1,20}/g, '<n>'],
];

/** A text without what varies: numbers, hex, ids, paths, addresses, quoted values. */
export function mask(text: string): string {
  const masked = MASKS.reduce((rest, [pattern, name]) => rest.replace(pattern, name), text.slice(0, LOOKED_AT));
  return masked.replace(/\s+/g, ' ').trim().slice(0, SIGNATURE_LENGTH);
}

/**
 * What a problem is the same as. Two records with one signature are one kind of error.
 *
 * - With a stack trace: the deepest cause and the first application frame, without its line number.
 * - A failed request: status, method and route, ids in the route masked.
 * - Otherwise the masked message.
 */
export function signatureOf(record: LogRecord): string {
  if (record.trace) {
    const { type, message } = rootCause(record.trace);
    const frame = applicationFrame(record.trace);
    const title = message ? `${type}: ${mask(message)}` : type;
    return frame?.call ? `${title} at ${frame.call}` : title;
  }
  if (record.http)
    return `HTTP ${record.http.status} ${record.http.method ?? ''} ${maskRoute(record.http.route ?? '')}`.replace(/\s+/g, ' ').trim();
  return mask(wordsOf(record)) || '<empty>';
}

/** `/orders/4711/items` → `/orders/<n>/items` */
function maskRoute(route: string): string {
  const parts = route.slice(0, LOOKED_AT).split('/');
  return parts.map((part) => (/^\d+$/.test(part) ? '<n>' : /^[\da-f-]{8,}$/i.test(part) && /\d/.test(part) ? '<id>' : part)).join('/');
}
