import { type ServerResponse } from 'node:http';

/** One year, as preload lists ask at least. */
const HSTS = 'max-age=31536000';

/**
 * What every answer carries unless its maker says otherwise: cards may be cached, pages have a policy of their own.
 *
 * An A2A answer is data: a browser that is made to show it should run, load, frame and guess nothing.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** @param isHttps clients reach this host over https, so they are told to use nothing else (A2A §7.1) */
export function setSecurityHeaders(response: ServerResponse, isHttps: boolean): void {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  if (isHttps) response.setHeader('strict-transport-security', HSTS);
}
