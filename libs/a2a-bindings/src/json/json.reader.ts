import { type JsonValue } from '@bufbuild/protobuf';
import { A2aError, InvalidParamsError } from '@a2a/a2a-core';
import { parse } from 'secure-json-parse';
import { type HttpLimits } from '../a2a-bindings.options.js';
import { findInfiniteNumber } from './finite-numbers.js';
import { type JsonOutline } from './json-outline.js';
import { findPrototypeKey } from './prototype-key.js';
import { findRepeatedMember } from './repeated-member.js';
import { findIllFormedText } from './well-formed-text.js';

/** RFC 8259 §8.1 forbids it; the parser would pass over it. */
const BYTE_ORDER_MARK = 0xfeff;

/** Makes the wire's error for a member that is JSON, but not JSON we take. `path` is empty for the whole body. */
export type MemberRefusal = (path: string, description: string) => A2aError;

/**
 * Parses a JSON text that has passed `outlineJson`.
 *
 * @param refusal for members given twice, for keys that reach an object's prototype and for text and numbers that not every store can keep
 * @throws {A2aError} PARSE_ERROR with a fixed text; INVALID_PARAMS for more than the limits allow; what `refusal` makes
 */
export function parseJson(text: string, { excess, memberCount }: JsonOutline, limits: HttpLimits, refusal: MemberRefusal): JsonValue {
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) throw notJson();
  if (excess) throw tooLarge(excess, limits);
  const value = parseSafely(text, refusal);
  refuseAt(findRepeatedMember(text, value, memberCount), 'given twice', refusal);
  refuseAt(findIllFormedText(text, value), 'text must not hold U+0000 or half a surrogate pair', refusal);
  refuseAt(findInfiniteNumber(text, value), 'not a finite number', refusal);
  return value;
}

function refuseAt(path: string | undefined, description: string, refusal: MemberRefusal): void {
  if (path !== undefined) throw refusal(path, description);
}

function parseSafely(text: string, refusal: MemberRefusal): JsonValue {
  try {
    return parse(text, undefined, { protoAction: 'error', constructorAction: 'error' }) as JsonValue;
  } catch {
    const found = findPrototypeKey(parsePlainly(text));
    throw found ? refusal(found.path, `a member named ${found.key}`) : notJson();
  }
}

/** @returns null for what is not JSON */
function parsePlainly(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

function notJson(): A2aError {
  return new A2aError('PARSE_ERROR', 'Invalid JSON payload');
}

function tooLarge(excess: 'depth' | 'nodes', limits: HttpLimits): A2aError {
  const description = excess === 'depth' ? `nested deeper than ${limits.jsonDepth} levels` : `more than ${limits.jsonNodes} values`;
  return InvalidParamsError.of('(body)', description);
}
