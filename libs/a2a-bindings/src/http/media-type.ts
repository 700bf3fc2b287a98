const MEDIA_TYPE = /^application\/(?:[!#$&^_.+a-z0-9-]+\+)?json\s*(;.*)?$/i;
const PARAMETER = /;\s*(?:([!#$%&'*+.^_`|~a-z0-9-]+)=("[^"]*"|[!#$%&'*+.^_`|~a-z0-9-]+)\s*)?/giy;

/** The body is JSON in UTF-8, as far as its Content-Type goes: `application/json`, `application/a2a+json` or any `+json`. */
export function isJsonMediaType(contentType: string | undefined): boolean {
  if (contentType === 'application/json' || contentType === 'application/a2a+json') return true;
  const match = MEDIA_TYPE.exec(contentType ?? '');
  return match !== null && hasOnlyUtf8(match[1] ?? '');
}

function hasOnlyUtf8(parameters: string): boolean {
  let end = 0;
  for (const [text, name, value] of parameters.matchAll(PARAMETER)) {
    end += text.length;
    if (name?.toLowerCase() === 'charset' && value?.replace(/"/g, '').toLowerCase() !== 'utf-8') return false;
  }
  return end === parameters.length;
}
