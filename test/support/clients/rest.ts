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
import { isEventStream } from './json-rpc.js';
import { readSse } from './sse.js';
import { type StreamItemJson } from './wire-json.js';

interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `{name}` takes a member of the request. */
  readonly path: string;
}

/** Typed by hand from A2A §11.3, so that the server's own table is not what it is tested with. */
const ROUTES: Record<UnaryName | StreamingName, Route> = {
  SendMessage: { method: 'POST', path: '/message:send' },
  SendStreamingMessage: { method: 'POST', path: '/message:stream' },
  GetTask: { method: 'GET', path: '/tasks/{id}' },
  ListTasks: { method: 'GET', path: '/tasks' },
  CancelTask: { method: 'POST', path: '/tasks/{id}:cancel' },
  SubscribeToTask: { method: 'POST', path: '/tasks/{id}:subscribe' },
  CreateTaskPushNotificationConfig: { method: 'POST', path: '/tasks/{taskId}/pushNotificationConfigs' },
  GetTaskPushNotificationConfig: { method: 'GET', path: '/tasks/{taskId}/pushNotificationConfigs/{id}' },
  ListTaskPushNotificationConfigs: { method: 'GET', path: '/tasks/{taskId}/pushNotificationConfigs' },
  DeleteTaskPushNotificationConfig: { method: 'DELETE', path: '/tasks/{taskId}/pushNotificationConfigs/{id}' },
  GetExtendedAgentCard: { method: 'GET', path: '/extendedAgentCard' },
};

const DEFAULTS = { 'content-type': 'application/a2a+json', 'a2a-version': '1.0' };

export class RestClient extends A2aClient {
  readonly wire = 'HTTP+JSON';

  constructor(
    readonly url: string,
    tenant?: string,
  ) {
    super(tenant);
  }

  async call(operation: UnaryName, request: JsonObject, options: CallOptions = {}): Promise<Reply> {
    const { method, path, body } = toHttpRequest(operation, this.addressed(request));
    const reply = await this.request(method, path, body, options.headers);
    if (reply.status !== 200) throw toError(reply.status, JSON.parse(reply.text) as JsonValue);
    return { body: JSON.parse(reply.text) as JsonObject, headers: reply.headers };
  }

  async open(operation: StreamingName, request: JsonObject, options: CallOptions = {}): Promise<EventStream> {
    const hangUp = new AbortController();
    const { method, path, body } = toHttpRequest(operation, this.addressed(request));
    const headers = mergeHeaders(DEFAULTS, options.headers);
    const response = await sendRequest({ method, url: `${this.url}${path}`, headers, body }, hangUp.signal);
    if (!isEventStream(response)) throw toError(response.status, (await response.json()) as JsonValue);
    return openEventStream(readItems(response), headersOf(response), () => hangUp.abort());
  }

  /** Sends a request as it is; `path` is behind the base URL. */
  request(method: string, path: string, body?: string | Uint8Array, headers: CallOptions['headers'] = {}): Promise<HttpReply> {
    return exchange({ method, url: `${this.url}${path}`, headers: mergeHeaders(DEFAULTS, headers), body });
  }

  close(): void {}
}

/** Method, path and body of an operation; what the path does not name goes into query or body. */
export function toHttpRequest(operation: UnaryName | StreamingName, request: JsonObject): { method: string; path: string; body?: string } {
  const { method, path } = ROUTES[operation];
  const rest = { ...request };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value ?? ''));
  });
  if (method === 'POST') return { method, path: filled, body: JSON.stringify(rest) };
  const query = new URLSearchParams(Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)])).toString();
  return { method, path: query ? `${filled}?${query}` : filled };
}

async function* readItems(response: Response): AsyncGenerator<StreamEvent> {
  if (!response.body) return;
  for await (const { data, id } of readSse(response.body)) {
    if (data === undefined) continue;
    const item = JSON.parse(data) as JsonObject;
    if ('error' in item) throw toError(response.status, item);
    yield { item: item as StreamItemJson, id };
  }
}

function toError(httpStatus: number, body: JsonValue): WireError {
  const { error } = body as { error: { code: number; message: string; details?: JsonObject[] } };
  return new WireError(error.code, error.message, error.details ?? [], httpStatus);
}
