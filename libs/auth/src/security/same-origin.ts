import { type AuthRequest } from './auth-request.js';

/**
 * A browser adds cookies to whatever any page sends, so a call that carries one has to come from a page of this host or of an allowed
 * origin. Callers that are no browser send neither header and pass.
 *
 * `Sec-Fetch-Site` cannot be set by a page; where it is missing, `Origin` is compared with `Host`.
 */
export function comesFromForeignPage(request: AuthRequest, allowedOrigins: readonly string[]): boolean {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (origin !== undefined && allowedOrigins.includes(origin)) return false;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && hostOf(origin) !== host?.toLowerCase();
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
