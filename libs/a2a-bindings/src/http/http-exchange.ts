import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { type ArgumentsHost } from '@nestjs/common';
import { type IdentifiedCall, type UnhandledCall } from '@a2a/a2a-core';
import { endLingering } from './lingering-close.js';

const EXCHANGE = Symbol('a2a.exchange');

/** Made once: Node would make an error with a stack for every exchange that is aborted, and every stream ends that way. */
const GONE = new Error('Nobody reads this answer any more');

/** What is known of a call before its caller is. */
export type BegunCall = Omit<UnhandledCall, 'signal' | 'owner'>;

/** What both adapters hand to a controller: Express the messages of Node themselves, Fastify wrappers around them. */
export interface AdapterRequest extends IncomingMessage {
  readonly raw?: IncomingMessage;
  readonly params?: Readonly<Record<string, string>>;
}

/** What an adapter hands to a handler: Node's own response (Express), or one that holds it (Fastify). */
export interface AdapterResponse extends ServerResponse {
  readonly raw?: ServerResponse;
  hijack?(): unknown;
}

/**
 * One HTTP request and its response, the same on every adapter.
 *
 * - An answer is one write: head and body leave together, without the adapter's ETag, template or serializer.
 * - An answer that comes before the whole body did closes the connection, since the rest of it would be read as the next request.
 * - `signal` aborts at once when the client has gone.
 */
export class HttpExchange {
  /** Headers that go with every answer, such as those of CORS. */
  headers: OutgoingHttpHeaders;
  /** JSON text of the id that answers carry, where the wire has one. */
  rpcId = 'null';
  /** The body has been read (or there is none and nobody asked for it). */
  bodyRead = false;
  /** Set once the exchange turns out to be a call. */
  begun?: BegunCall;

  readonly #abort = new AbortController();
  #call?: IdentifiedCall;

  private constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    /** Path variables by name, decoded. */
    public params: Readonly<Record<string, string>>,
    headers: OutgoingHttpHeaders,
  ) {
    this.headers = headers;
    response.once('close', () => {
      if (!response.writableFinished) this.#abort.abort(GONE);
    });
  }

  /** The exchange of a request, made when it is first asked for. From then on the adapter leaves the response alone. */
  static of(request: AdapterRequest, response: AdapterResponse): HttpExchange {
    const raw = (request.raw ?? request) as IncomingMessage & { [EXCHANGE]?: HttpExchange };
    return (raw[EXCHANGE] ??= HttpExchange.#make(raw, request, response));
  }

  static from(host: ArgumentsHost): HttpExchange {
    return HttpExchange.of(host.getArgByIndex<AdapterRequest>(0), host.getArgByIndex<AdapterResponse>(1));
  }

  static #make(raw: IncomingMessage, request: AdapterRequest, response: AdapterResponse): HttpExchange {
    if (!response.raw) {
      response.removeHeader('x-powered-by');
      return new HttpExchange(raw, response, request.params ?? {}, {});
    }
    response.hijack?.();
    return new HttpExchange(raw, response.raw, request.params ?? {}, response.getHeaders());
  }

  /** Aborts when the client has gone. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Tells everybody who works for this exchange that nobody reads on. */
  abort(): void {
    this.#abort.abort(GONE);
  }

  /** The call, once the guard has let it in. */
  get call(): IdentifiedCall {
    if (!this.#call) throw new Error('No guard has identified this call: decorate its controller with @A2aBinding');
    return this.#call;
  }

  /** Who calls, once the guard has let the call in. */
  get owner(): string | undefined {
    return this.#call?.principal.owner;
  }

  accept(call: IdentifiedCall): void {
    this.#call = call;
  }

  /** Path as it came, without query; percent signs untouched. */
  get path(): string {
    const url = this.request.url ?? '/';
    const query = url.indexOf('?');
    return query === -1 ? url : url.slice(0, query);
  }

  /** Query as it came, without question mark; empty for none. */
  get query(): string {
    const url = this.request.url ?? '/';
    const query = url.indexOf('?');
    return query === -1 ? '' : url.slice(query + 1);
  }

  /** The request announces a body. */
  get hasBody(): boolean {
    const { headers } = this.request;
    return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  }

  /** Length of the body as the request announces it. */
  get announcedBytes(): number | undefined {
    const length = this.request.headers['content-length'];
    return length === undefined ? undefined : Number(length);
  }

  /** Answers, unless an answer has begun or the client has gone. */
  send(status: number, headers: OutgoingHttpHeaders, body: string | Buffer): void {
    // A small body may be in the very packet that Node is still reading.
    if (this.#isIncomplete) setImmediate(() => this.#write(status, headers, body));
    else this.#write(status, headers, body);
  }

  /** Answers that the client has the representation already. */
  sendNotModified(headers: OutgoingHttpHeaders): void {
    this.response.writeHead(304, { ...this.headers, ...headers });
    this.response.end();
  }

  #write(status: number, headers: OutgoingHttpHeaders, body: string | Buffer): void {
    const { request, response } = this;
    if (response.headersSent || response.destroyed) return;
    const isEarly = this.#isIncomplete;
    if (isEarly) response.shouldKeepAlive = false;
    response.writeHead(status, { ...this.headers, ...headers, 'content-length': Buffer.byteLength(body) });
    if (isEarly) endLingering(request, response, body);
    else response.end(body);
  }

  /** More of the body is on its way. */
  get #isIncomplete(): boolean {
    return !this.request.complete && this.hasBody;
  }
}
