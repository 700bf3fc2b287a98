import { type IncomingHttpHeaders } from 'node:http';

/** The client has this representation already (RFC 9110 §13.1; `If-None-Match` counts before `If-Modified-Since`). */
export function isFresh(
  headers: IncomingHttpHeaders,
  { etag, lastModified }: { readonly etag: string; readonly lastModified: Date },
): boolean {
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined) {
    return noneMatch.trim() === '*' || noneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return since >= Math.floor(lastModified.getTime() / 1_000) * 1_000;
}
