import { type JsonValue } from '@bufbuild/protobuf';
import { findInJson } from './find-in-json.js';

/** What a number beyond a double has to hold: an exponent of three digits, or very many digits. */
const SUSPICIOUS_NUMBER = /\d[eE]\+?\d{3}|\d{300}/;

/**
 * Path of the first number beyond a double, such as `1e999`. The parser makes infinity of it, which neither JSON nor protobuf's values have.
 *
 * Few texts hold such a number, so most are cleared by one look at `text`.
 *
 * @param text the JSON that `value` was parsed from
 */
export function findInfiniteNumber(text: string, value: JsonValue): string | undefined {
  if (!SUSPICIOUS_NUMBER.test(text)) return undefined;
  return findInJson(value, (leaf) => typeof leaf === 'number' && !Number.isFinite(leaf));
}
