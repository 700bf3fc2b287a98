/** Cookies of a call, first value of each name, without a prototype. */
export interface Cookies {
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** Names that came more than once: which one counts is anybody's guess, so none does. */
  readonly repeated: readonly string[];
}

/** Reads a `Cookie` header (RFC 6265 §4.2.1). Values are taken as sent, without quotes and undecoded. */
export function parseCookies(header: string | undefined): Cookies {
  const cookies = Object.create(null) as Record<string, string | undefined>;
  const repeated: string[] = [];
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    if (name === '') continue;
    if (name in cookies) repeated.push(name);
    else cookies[name] = unquoted(pair.slice(equals + 1).trim());
  }
  return { cookies, repeated };
}

function unquoted(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
