import { type JsonValue } from '@bufbuild/protobuf';

const SUSPICIOUS_ESCAPE = /\\u(?:0000|d[89a-f])/i;
/** In Unicode mode a surrogate matches only where it has no partner. */
const ILL_FORMED = /[\0\p{Surrogate}]/u;

/** The text holds U+0000 or half a surrogate pair, which some stores cannot keep. */
export function isIllFormed(text: string): boolean {
  return ILL_FORMED.test(text);
}

/**
 * Path of the first string, or of the object with the first key, that holds ill-formed text.
 *
 * Decoded UTF-8 can hold such characters only as escapes, so most texts are cleared by one look at `text`.
 *
 * @param text the JSON that `value` was parsed from
 */
export function findIllFormedText(text: string, value: JsonValue): string | undefined {
  return SUSPICIOUS_ESCAPE.test(text) ? find(value, '') : undefined;
}

function find(value: JsonValue, path: string): string | undefined {
  if (typeof value === 'string') return ILL_FORMED.test(value) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (ILL_FORMED.test(key)) return path;
    const found = find(item as JsonValue, step(path, key, Array.isArray(value)));
    if (found !== undefined) return found;
  }
  return undefined;
}

function step(path: string, key: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${key}]`;
  return path ? `${path}.${key}` : key;
}
