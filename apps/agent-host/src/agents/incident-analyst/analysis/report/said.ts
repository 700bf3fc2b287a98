import { quote } from '../citation.js';
import { type KnownRecord } from '../log-record.js';
import { rootCause } from '../stack-trace.js';

/** What a record says, quoted piece by piece, because the pieces may stand apart in its lines. Ends with the deepest cause of its trace. */
export function said({ label, message, detail, trace }: KnownRecord): string {
  const root = trace && rootCause(trace);
  const cause = root && (root.message || root.type);
  const pieces = [label, message, detail].filter((text) => text !== undefined && text !== '');
  if (cause && !pieces.some((piece) => piece?.includes(cause))) pieces.push(cause);
  return pieces.map((piece) => quote(piece ?? '')).join(' · ');
}

/** The most telling piece alone. */
export function saidInShort({ label, message, detail, trace }: KnownRecord): string {
  const root = trace && rootCause(trace);
  return quote((root && (root.message || root.type)) || detail || message || label || '', 140);
}
