import { type IncomingHttpHeaders, type IncomingMessage, request, type RequestOptions } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { type JsonObject } from '@bufbuild/protobuf';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: JsonObject;
}

export interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
}

const VERSION = { 'a2a-version': '1.0' };

/** One request over a connection of its own; paths and headers go out exactly as given. */
export async function ask(port: number, { method = 'GET', path = '/', headers = {}, body }: Ask): Promise<Reply> {
  const response = await open(port, { method, path, headers }, body);
  const answer = await text(response);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: answer,
    get json() {
      return JSON.parse(answer) as JsonObject;
    },
  };
}

/** As `ask`, but resolves with the head of the answer. */
export async function open(port: number, options: RequestOptions, body?: string | Buffer): Promise<IncomingMessage> {
  const outgoing = request({ host: '127.0.0.1', port, agent: false, ...options, headers: { ...VERSION, ...options.headers } });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

/**
 * What a stream says up to and including `wanted`. It stays open.
 *
 * @throws when it ends before that
 */
export async function untilText(response: IncomingMessage, wanted: string): Promise<string> {
  let received = '';
  for await (const chunk of response.iterator({ destroyOnReturn: false })) {
    received += String(chunk);
    if (received.includes(wanted)) return received;
  }
  throw new Error(`The stream ended without ${wanted}`);
}

/** Posts JSON as it is written. */
export function post(port: number, path: string, body: string | Buffer | object, headers: Ask['headers'] = {}): Promise<Reply> {
  return ask(port, {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
}

/** Posts one JSON-RPC request object. */
export function rpc(port: number, method: string, params?: object, rest: { id?: unknown; path?: string } = {}): Promise<Reply> {
  return post(port, rest.path ?? '/rpc', { jsonrpc: '2.0', id: 'id' in rest ? rest.id : 1, method, params });
}

/**
 * Sends bytes as they are, and returns everything that came back until the other side closed. It may close before it has read them all, as
 * it does with a body that is too large; what it said until then counts.
 */
export async function exchangeRaw(port: number, ...pieces: (string | Buffer)[]): Promise<string> {
  const socket: Socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const received: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  // In one go: a later piece that meets a connection which is closed by then would throw away what was said.
  socket.write(Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
  await closed;
  return Buffer.concat(received).toString();
}

export function portOf(address: AddressInfo | string | null): number {
  return (address as AddressInfo).port;
}

/** The `code` of a JSON-RPC error or of a Status. */
export function errorCode({ json }: Reply): number | undefined {
  return (json.error as { code?: number } | undefined)?.code;
}

/** Names of the fields a BadRequest complains about. */
export function violatedFields({ json }: Reply): string[] {
  const error = json.error as { data?: JsonObject[]; details?: JsonObject[] } | undefined;
  const bad = (error?.data ?? error?.details ?? []).find((detail) => String(detail['@type']).endsWith('BadRequest'));
  return ((bad?.fieldViolations ?? []) as { field: string }[]).map(({ field }) => field);
}
