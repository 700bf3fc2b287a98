import { type JsonValue } from '@bufbuild/protobuf';
import { A2aError, InvalidParamsError } from '@a2a/a2a-core';
import { parse } from 'secure-json-parse';
import { type HttpLimits } from '../a2a-bindings.options.js';
import { findInfiniteNumber } from './finite-numbers.js';
import { type JsonOutline } from './json-outline.js';
import { findIllFormedText } from './well-formed-text.js';

/** RFC 8259 §8.1 forbids it; the parser would pass over it. */
const BYTE_ORDER_MARK = 0xfeff;

/**
 * Parses a JSON text that has passed `outlineJson`.
 *
 * @throws {A2aError} PARSE_ERROR with a fixed text; INVALID_PARAMS for more than the limits allow, for keys that reach an object's prototype
 * and for text and numbers that not every store can keep
 *
 * @param requestPrefix where the request message begins, to be left out of the names of its members
 */
export function parseJson(text: string, { excess }: JsonOutline, limits: HttpLimits, requestPrefix = ''): JsonValue {
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) throw notJson();
  if (excess) throw tooLarge(excess, limits);
  const value = parseSafely(text);
  refuseAt(findIllFormedText(text, value), 'text must not hold U+0000 or half a surrogate pair', requestPrefix);
  refuseAt(findInfiniteNumber(text, value), 'not a finite number', requestPrefix);
  return value;
}

function refuseAt(path: string | undefined, description: string, prefix: string): void {
  if (path === undefined) return;
  throw InvalidParamsError.of(path.startsWith(prefix) ? path.slice(prefix.length) : path, description);
}

function parseSafely(text: string): JsonValue {
  try {
    return parse(text, undefined, { protoAction: 'error', constructorAction: 'error' }) as JsonValue;
  } catch {
    throw isJson(text) ? InvalidParamsError.of(prototypeKey(text), 'this key is not accepted') : notJson();
  }
}

/** Which key the parser met: it has one message for both. */
function prototypeKey(text: string): string {
  try {
    parse(text, undefined, { protoAction: 'error', constructorAction: 'ignore' });
    return 'constructor.prototype';
  } catch {
    return '__proto__';
  }
}

function notJson(): A2aError {
  return new A2aError('PARSE_ERROR', 'Invalid JSON payload');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function tooLarge(excess: 'depth' | 'nodes', limits: HttpLimits): A2aError {
  const description = excess === 'depth' ? `nested deeper than ${limits.jsonDepth} levels` : `more than ${limits.jsonNodes} values`;
  return InvalidParamsError.of('(body)', description);
}
