/** A quoted-string (RFC 9110 §5.6.4). Control characters cannot be in one and are left out. */
function quoted(value: string): string {
  return `"${value.replace(/[^\t\x20-\x7e]/g, '').replace(/["\\]/g, '\\$&')}"`;
}

/**
 * One challenge of `WWW-Authenticate` (RFC 9110 §11.6.1).
 *
 * @param parameters in this order; undefined and empty ones are left out
 */
export function formatChallenge(scheme: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) => (value ? [`${name}=${quoted(value)}`] : []));
  return given.length > 0 ? `${scheme} ${given.join(', ')}` : scheme;
}
