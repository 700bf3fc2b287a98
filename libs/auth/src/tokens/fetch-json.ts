import { type OutboundHttp, type OutboundResponse, type OutboundTargets } from '@a2a/a2a-core';

/** Identity providers answer quickly or not at all. */
export const IDP_TIMEOUT_MS = 2_000;
/** A hundred keys and their certificate chains fit well. */
export const IDP_MAX_BYTES = 262_144;

/**
 * Reads one JSON object.
 *
 * @throws {Error} for anything else: another status, a redirect, another type of value, text that is no JSON, or no answer in time
 */
export async function fetchJson(http: OutboundHttp, url: string, targets?: OutboundTargets): Promise<Record<string, unknown>> {
  const headers = { accept: 'application/json' };
  const response = await http.get(url, { maxBytes: IDP_MAX_BYTES, timeoutMs: IDP_TIMEOUT_MS, headers, targets });
  return toJsonObject(response, url);
}

export function toJsonObject({ status, body }: OutboundResponse, url: string): Record<string, unknown> {
  if (status !== 200) throw new Error(`${url} answered ${status}`);
  if (body.byteLength > IDP_MAX_BYTES) throw new Error(`${url} sent more than ${IDP_MAX_BYTES} bytes`);
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${url} did not send a JSON object`);
  return value as Record<string, unknown>;
}
