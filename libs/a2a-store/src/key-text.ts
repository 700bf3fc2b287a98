/** What no database text column keeps as it is, and the sign that marks it. */
const UNSAFE = /[\\\0]|\p{Surrogate}/gu;
const ESCAPED = /\\(\\|u[0-9a-f]{4})/g;

/**
 * An id as it is stored: any JavaScript string, with U+0000 and lone surrogates written as `\uXXXX`, so that two different ids are never
 * one row, and a backslash doubled.
 */
export function formatKey(id: string): string {
  return id.replace(UNSAFE, (sign) => (sign === '\\' ? '\\\\' : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`));
}

/** The id behind a stored key. */
export function parseKey(key: string): string {
  return key.replace(ESCAPED, (_, sign: string) => (sign === '\\' ? '\\' : String.fromCharCode(Number.parseInt(sign.slice(1), 16))));
}
