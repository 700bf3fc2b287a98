const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isLoopback(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.has(new URL(url).hostname);
}

/**
 * Identity providers are reached over TLS; this machine itself is the one exception, for development and tests (SEC-10).
 *
 * @returns `url`
 * @throws {Error} naming the setting
 */
export function checkProviderUrl(setting: string, url: string): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : undefined;
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(url));
  if (!isSafe) throw new Error(`${setting} has to be an https URL, and "${url}" is none`);
  return url;
}
