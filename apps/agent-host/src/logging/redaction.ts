import { types } from 'node:util';

const REDACTED = '[redacted]';
const MAX_STRING = 2_048;
const MAX_ENTRIES = 50;
const MAX_DEPTH = 6;

/** Names, without case and punctuation, whose values are credentials whatever they look like. */
const SECRET_NAME =
  /(authorization|cookie|apikey|tokens?|secrets?|password|passwd|passphrase|credentials?|privatekey|accesskey|assertion|jwt|sessionid)$/;

/** Shapes of credentials inside text. What they match holds no quote and no backslash, so that a line of JSON stays JSON. */
const SECRET_SHAPES: readonly (readonly [shape: RegExp, replacement: string])[] = [
  [/(cookie\s*[:=]\s*)[^"'\\]+/gi, `$1${REDACTED}`],
  [/\b(bearer|basic|digest|negotiate)(\s+|%20)[\w.~+/=-]{8,}/gi, `$1 ${REDACTED}`],
  [/\beyJ[\w-]{5,}\.[\w-]{5,}(\.[\w-]*)*/g, REDACTED],
  [/(:\/\/)[^\s/?#"\\]*@/g, `$1${REDACTED}@`],
  [
    /(authorization|api[-_]?key|token|secret|password|passwd|passphrase|credentials?|assertion|signature|session[-_]?id)((?:\\+["']|')?\s*(?:[:=]|%3[ad])\s*(?:\\+["']|')?)(?:(?:bearer|basic)\s+)?(?!\[redacted)[^\s"'\\,;&{}]+/gi,
    `$1$2${REDACTED}`,
  ],
];

/**
 * What may be written of a fact.
 *
 * - Values under names of credentials are replaced, at any depth, in maps and lists too.
 * - Text is cut at 2 KiB, lists and objects at 50 entries, nesting at 6 levels; bytes become their number.
 * - Errors keep type, text, stack and cause.
 */
export function redactFacts(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return redactEntries(Object.entries(facts), 0);
}

/** Replaces what looks like a credential in a finished line; the second net below `redactFacts`, for texts and errors. */
export function scrubLine(line: string): string {
  return SECRET_SHAPES.reduce((text, [shape, replacement]) => text.replace(shape, replacement), line);
}

/** At most 2 KiB of a text, with the number of characters left out. */
export function capText(text: string): string {
  return text.length <= MAX_STRING ? text : `${text.slice(0, MAX_STRING)}… (${text.length - MAX_STRING} more)`;
}

function redactEntries(entries: readonly [string, unknown][], depth: number): Record<string, unknown> {
  return Object.fromEntries(
    entries.slice(0, MAX_ENTRIES).map(([name, value]) => [capText(name), isSecret(name, value) ? REDACTED : redactValue(value, depth)]),
  );
}

function isSecret(name: string, value: unknown): boolean {
  if (value === undefined || value === null || typeof value === 'boolean') return false;
  return SECRET_NAME.test(name.toLowerCase().replace(/[^a-z]/g, ''));
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return capText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
  if (value instanceof Uint8Array) return `${value.byteLength} bytes`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (depth >= MAX_DEPTH) return '…';
  if (value instanceof Error || types.isNativeError(value)) return redactError(value, depth);
  if (value instanceof Map)
    return redactEntries(
      [...value].map(([name, entry]) => [String(name), entry]),
      depth + 1,
    );
  if (Array.isArray(value) || value instanceof Set) return [...value].slice(0, MAX_ENTRIES).map((entry) => redactValue(entry, depth + 1));
  return redactEntries(Object.entries(value), depth + 1);
}

/** An error's own members, such as `code`, are kept: drivers put what matters there. */
function redactError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  return {
    ...redactEntries(Object.entries(error), depth + 1),
    type: name,
    message: capText(message),
    ...(stack === undefined ? {} : { stack: capText(stack) }),
    ...(cause === undefined ? {} : { cause: redactValue(cause, depth + 1) }),
  };
}
