import { A2aError } from '@a2a/a2a-core';

/** Header fields of one request. */
export interface HeaderMap {
  /** By lower-case name, repeated ones joined as RFC 9110 §5.3 says. */
  readonly headers: ReadonlyMap<string, string>;
  /** Lower-case names of fields that came more than once; undefined when none did. */
  readonly repeatedHeaders?: ReadonlySet<string>;
}

/**
 * Reads the raw list of header fields: Node itself keeps only the first of some repeated ones, and a gateway in front may have looked at
 * the other.
 *
 * @throws {A2aError} INVALID_REQUEST for two `Authorization` fields
 */
export function readHeaders(rawHeaders: readonly string[]): HeaderMap {
  const headers = new Map<string, string>();
  let repeatedHeaders: Set<string> | undefined;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    const value = rawHeaders[index + 1] as string;
    const before = headers.get(name);
    if (before === undefined) {
      headers.set(name, value);
    } else {
      (repeatedHeaders ??= new Set()).add(name);
      headers.set(name, `${before}${name === 'cookie' ? ';' : ','} ${value}`);
    }
  }
  if (repeatedHeaders?.has('authorization')) throw new A2aError('INVALID_REQUEST', 'More than one Authorization header');
  return { headers, repeatedHeaders };
}
