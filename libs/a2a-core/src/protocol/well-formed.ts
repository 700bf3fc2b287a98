/** Half of a character beyond U+FFFF, without its other half: no UTF-8 can hold it, so neither can protobuf nor a database. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const TRAILING_HALF = /[\ud800-\udbff]$/;

/** The text with U+FFFD for each lone surrogate. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd');
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
  const copied = Object.create(Object.getPrototypeOf(value) as object | null) as object;
  for (const [name, member] of Object.entries(value)) define(copied, wellFormed(name), copy(member));
  return copied;
}

/** An assignment would take a key called `__proto__` for the prototype. */
function define(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
}
