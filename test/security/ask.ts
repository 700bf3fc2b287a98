import { once } from 'node:events';
import { type Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** An answer, as it came. */
export interface Asked {
  readonly status?: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** One exchange by Node's own client, which sends header fields as often as they are given. */
export async function ask(
  httpUrl: string,
  method: string,
  path: string,
  headers: Record<string, string | string[]>,
  body?: string,
  agent?: Agent,
): Promise<Asked> {
  const outgoing = request(`${httpUrl}${path}`, { method, headers: { 'a2a-version': '1.0', ...headers }, agent: agent ?? false });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}
