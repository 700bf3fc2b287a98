import { type JsonValue } from '@bufbuild/protobuf';
import { findInJson } from './find-in-json.js';

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
  if (!SUSPICIOUS_ESCAPE.test(text)) return undefined;
  return findInJson(value, (leaf) => typeof leaf === 'string' && isIllFormed(leaf));
}
