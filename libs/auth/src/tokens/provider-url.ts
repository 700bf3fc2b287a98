const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Identity providers are reached over TLS; this machine itself is the one exception, for development and tests (SEC-10).
 *
 * @returns `url`
 * @throws {Error} naming the setting
 */
export function checkProviderUrl(setting: string, url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isSafe = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && LOOPBACK.has(parsed.hostname));
  if (!isSafe) throw new Error(`${setting} has to be an https URL, and "${url}" is none`);
  return url;
}
