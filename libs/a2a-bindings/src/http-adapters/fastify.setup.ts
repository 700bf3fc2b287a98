import { type IncomingMessage } from 'node:http';
import { type HttpEndpoints } from '../http/http-endpoints.js';
import { type AdapterRequest, type AdapterResponse, HttpExchange } from '../http/http-exchange.js';
import { mayHaveBody, singleSlashes } from './raw-request.js';
import { type UnroutedRequests } from './unrouted-requests.js';

type FastifyRequest = AdapterRequest & { readonly raw: IncomingMessage; readonly is404: boolean; readonly server: object };
type Done = (error?: Error | null, value?: unknown) => void;

/** As much of a Fastify instance as is used here. */
export interface FastifyRoot {
  readonly initialConfig: RouterConfig & { readonly routerOptions?: RouterConfig };
  addContentTypeParser(type: string, parser: (request: FastifyRequest, payload: unknown, done: Done) => void): unknown;
  addHook(name: 'onRequest', hook: (request: FastifyRequest, reply: AdapterResponse, done: Done) => void): unknown;
}

interface RouterConfig {
  readonly ignoreTrailingSlash?: boolean;
  readonly ignoreDuplicateSlashes?: boolean;
  readonly maxParamLength?: number;
}

/** Longest path parameter: an id of 256 characters, each of them escaped to up to twelve. */
const MAX_PARAM_LENGTH = 3_072;

/**
 * Options that the bindings need of a Fastify adapter: `new FastifyAdapter(A2A_FASTIFY_OPTIONS)`, spread among others if need be.
 *
 * They let a base URL end in a slash and ids be as long as the protocol's limits allow; a path that Fastify cannot decode is refused in
 * the shape of REST.
 */
export const A2A_FASTIFY_OPTIONS = {
  routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: MAX_PARAM_LENGTH },
  frameworkErrors: (error: unknown, request: unknown, reply: unknown): void => {
    const [asked, answer] = [request as FastifyRequest, reply as AdapterResponse & { send(body: unknown): unknown }];
    const unrouted = UNROUTED.get(asked.server);
    if (unrouted?.owns(pathOf(asked))) unrouted.refuseMalformed(HttpExchange.of(asked, answer));
    else answer.send(error);
  },
};

/** Fastify asks for `frameworkErrors` before there is anything to inject. */
const UNROUTED = new WeakMap<object, UnroutedRequests>();

/** A media type of our own, under which Fastify leaves a body in its stream. */
const UNREAD = 'application/vnd.a2a.unread';

/** @throws {Error} with the next step, when the adapter lacks the options above */
export function checkFastify({ initialConfig }: FastifyRoot): void {
  const config = { ...initialConfig, ...initialConfig.routerOptions };
  if (!config.ignoreTrailingSlash || !config.ignoreDuplicateSlashes || (config.maxParamLength ?? 0) < MAX_PARAM_LENGTH) {
    throw new Error('A2aBindingsModule: create the adapter with new FastifyAdapter(A2A_FASTIFY_OPTIONS), from @a2a/a2a-bindings');
  }
}

/** Requests for our addresses keep their body in its stream, and meet no 404 of Fastify. */
export function prepareFastify(instance: FastifyRoot, endpoints: HttpEndpoints, unrouted: UnroutedRequests): void {
  UNROUTED.set(instance, unrouted);
  instance.addContentTypeParser(UNREAD, (_request, _payload, done) => done(null));
  instance.addHook('onRequest', (request, reply, done) => {
    if (request.is404) {
      if (!unrouted.owns(pathOf(request))) return done();
      return unrouted.answer(HttpExchange.of(request, reply));
    }
    if (mayHaveBody(request.raw) && endpoints.has(pathOf(request))) request.raw.headers['content-type'] = UNREAD;
    done();
  });
}

function pathOf({ raw }: FastifyRequest): string {
  return singleSlashes((raw.url ?? '/').split('?', 1)[0] as string);
}
