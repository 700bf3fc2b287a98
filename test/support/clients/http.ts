import { type CallOptions } from './a2a-client.js';

/** What any HTTP server may answer. */
export interface HttpReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: CallOptions['headers'];
  readonly body?: string | Uint8Array;
}

/** One exchange, redirects not followed, whatever the status. */
export async function exchange(request: HttpRequest): Promise<HttpReply> {
  const response = await sendRequest(request);
  return { status: response.status, headers: headersOf(response), text: await response.text() };
}

/** One exchange whose body is left to be read. */
export async function sendRequest({ method, url, headers = {}, body }: HttpRequest, signal?: AbortSignal): Promise<Response> {
  const kept = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null);
  return await fetch(url, { method, headers: kept, body, signal, redirect: 'manual' });
}

export function headersOf(response: Response): ReadonlyMap<string, string> {
  return new Map(response.headers);
}

/** Defaults overridden by name, whatever the case. */
export function mergeHeaders(defaults: Record<string, string>, headers: CallOptions['headers'] = {}): Record<string, string | null> {
  const lowered = [...Object.entries(defaults), ...Object.entries(headers)].map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(lowered);
}
