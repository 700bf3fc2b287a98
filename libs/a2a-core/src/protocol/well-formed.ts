/// <reference lib="es2024.string" />

const TRAILING_HALF = /[\ud800-\udbff]$/;

/**
 * The text with U+FFFD for each lone surrogate: half of a character beyond U+FFFF, without its other half. No UTF-8 can hold it, so neither
 * can protobuf nor a database.
 */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}

function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** Splits off the first half of a character at the end of a text whose next piece is still to come. */
export function splitTrailingHalf(text: string): [text: string, half: string] {
  return TRAILING_HALF.test(text) ? [text.slice(0, -1), text.slice(-1)] : [text, ''];
}

/** A deep copy of a message in which every text and key is well-formed; nothing is shared with the original. */
export function wellFormedCopy<T>(value: T): T {
  return copy(value) as T;
}

function copy(value: unknown): unknown {
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  if (value instanceof Uint8Array) return value.slice();
  return Object.keys(value).every(isWellFormed) ? copyMembers({ ...value }) : Object.fromEntries(Object.entries(value).map(copyEntry));
}

/** Each member is an own one already, so that an assignment to `__proto__` does not reach the prototype. */
function copyMembers(copied: Record<string, unknown>): object {
  for (const name in copied) copied[name] = copy(copied[name]);
  return copied;
}

function copyEntry([name, member]: [string, unknown]): [string, unknown] {
  return [wellFormed(name), copy(member)];
}
