import { randomUUID } from 'node:crypto';
import { type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import {
  A2aClient,
  type CallOptions,
  type EventStream,
  openEventStream,
  type Reply,
  type StreamEvent,
  type StreamingName,
  type UnaryName,
  WireError,
} from './a2a-client.js';
import { exchange, headersOf, type HttpReply, mergeHeaders, sendRequest } from './http.js';
import { readSse } from './sse.js';
import { type StreamItemJson } from './wire-json.js';

const DEFAULTS = { 'content-type': 'application/json', 'a2a-version': '1.0' };

export class JsonRpcClient extends A2aClient {
  readonly wire = 'JSONRPC';

  constructor(
    readonly url: string,
    tenant?: string,
  ) {
    super(tenant);
  }

  async call(method: UnaryName, request: JsonObject, options: CallOptions = {}): Promise<Reply> {
    const id = randomUUID();
    const params = this.addressed(request);
    const reply = await this.post(JSON.stringify({ jsonrpc: '2.0', id, method, params }), options.headers);
    return { body: unwrap(JSON.parse(reply.text) as JsonObject, id, reply.status), headers: reply.headers };
  }

  async open(method: StreamingName, request: JsonObject, options: CallOptions = {}): Promise<EventStream> {
    const id = randomUUID();
    const params = this.addressed(request);
    const hangUp = new AbortController();
    const response = await sendRequest(
      {
        method: 'POST',
        url: this.url,
        headers: mergeHeaders(DEFAULTS, options.headers),
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      },
      hangUp.signal,
    );
    if (!isEventStream(response)) unwrap((await response.json()) as JsonObject, id, response.status);
    return openEventStream(readResults(response, id), headersOf(response), () => hangUp.abort());
  }

  /** Sends a body as it is. */
  post(body: string | Uint8Array, headers: CallOptions['headers'] = {}): Promise<HttpReply> {
    return exchange({ method: 'POST', url: this.url, headers: mergeHeaders(DEFAULTS, headers), body });
  }

  close(): void {}
}

async function* readResults(response: Response, id: string): AsyncGenerator<StreamEvent> {
  if (!response.body) return;
  for await (const frame of readSse(response.body)) {
    if (frame.data !== undefined)
      yield { item: unwrap(JSON.parse(frame.data) as JsonObject, id, response.status) as StreamItemJson, id: frame.id };
  }
}

function unwrap(envelope: JsonObject, id: string, httpStatus: number): JsonObject {
  const { error, result } = envelope as { error?: { code: number; message: string; data?: JsonObject[] }; result?: JsonValue };
  if (envelope.jsonrpc !== '2.0') throw new Error(`Not a JSON-RPC response: ${JSON.stringify(envelope)}`);
  if (error) throw new WireError(error.code, error.message, error.data ?? [], httpStatus);
  if (envelope.id !== id) throw new Error(`Answer to ${String(envelope.id)} instead of ${id}`);
  return result as JsonObject;
}

export function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}
