import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type HttpEndpoints } from '../http/http-endpoints.js';
import { HttpExchange } from '../http/http-exchange.js';
import { mayHaveBody, singleSlashes } from './raw-request.js';
import { type UnroutedRequests } from './unrouted-requests.js';

type Next = (error?: unknown) => void;
type Handler = (request: IncomingMessage, response: ServerResponse, next: Next) => void;
type ErrorHandler = (error: unknown, request: IncomingMessage, response: ServerResponse, next: Next) => void;

/** As much of an Express application as is used here. */
export interface ExpressInstance {
  /** What matches routes; every route takes over its letter case rule when it is added. */
  readonly router: { caseSensitive?: boolean };
  use(handler: Handler): unknown;
  use(handler: ErrorHandler): unknown;
}

/**
 * Comes before every parser. Requests for our addresses lose the Content-Type that parsers go by (it stays in `rawHeaders`), and a base
 * URL that ends in a slash costs nothing: `//tasks` is `/tasks`.
 *
 * Paths become case sensitive (RFC 3986 §6.2.2.1), for every route of the application, as they are on Fastify.
 */
export function prepareExpress(instance: ExpressInstance, endpoints: HttpEndpoints): void {
  // Not the setting `case sensitive routing`: Nest's adapter has made the router by now, and it reads that only once.
  instance.router.caseSensitive = true;
  instance.use((request, _response, next) => {
    const { url = '/' } = request;
    const path = url.split('?', 1)[0] as string;
    const single = singleSlashes(path);
    if ((single !== path || mayHaveBody(request)) && endpoints.has(single)) {
      request.url = single + url.slice(path.length);
      delete request.headers['content-type'];
    }
    next();
  });
}

/** Comes after every route: what arrives here under an address of ours was not taken, or its path could not be decoded. */
export function catchUnroutedOnExpress(instance: ExpressInstance, unrouted: UnroutedRequests): void {
  instance.use((request, response, next) => {
    const exchange = own(request, response, unrouted);
    if (exchange) unrouted.answer(exchange);
    else next();
  });
  // Express tells error handlers by their four parameters.
  instance.use((error: unknown, request: IncomingMessage, response: ServerResponse, next: Next) => {
    const exchange = own(request, response, unrouted);
    if (exchange) unrouted.refuseMalformed(exchange);
    else next(error);
  });
}

function own(request: IncomingMessage, response: ServerResponse, unrouted: UnroutedRequests): HttpExchange | undefined {
  const path = (request.url ?? '/').split('?', 1)[0] as string;
  return unrouted.owns(path) ? HttpExchange.of(request, response) : undefined;
}
