import { Delete, Get, HttpCode, Post, Req, Res, type Type } from '@nestjs/common';
import { A2aError, type HttpRoute, RequestHandler, type StreamItem } from '@a2a/a2a-core';
import { A2aBinding } from '../a2a-binding.decorator.js';
import { resultHeaders } from '../http/answer-headers.js';
import { BodyReader } from '../http/body.reader.js';
import { type EventFraming } from '../http/event-stream.js';
import { type AdapterRequest, type AdapterResponse, HttpExchange } from '../http/http-exchange.js';
import { lastEventVersion } from '../http/last-event-id.js';
import { formatRoutePath, type HttpAdapterKind, MOUNTS, routeVerb } from '../http-adapters/route-path.js';
import { SseWriter } from '../http/sse.writer.js';
import { UnroutedRequests } from '../http-adapters/unrouted-requests.js';
import { invokeStream, invokeUnary } from '../invoke-operation.js';
import { RestCallReader } from './rest.call-reader.js';
import { RestCodec } from './rest.codec.js';
import { formatRestError } from './rest.errors.js';
import { RestExceptionFilter } from './rest.exception-filter.js';
import { REST_ROUTES, type RestRoute, routeWithoutVerb, ServesOperation } from './rest.routes.js';

const METHODS: Readonly<Record<HttpRoute['verb'], (path: string) => MethodDecorator>> = { GET: Get, POST: Post, DELETE: Delete };

/** The HTTP+JSON binding (A2A §11). Its routes are the annotations of the proto, so the two cannot drift apart. */
export function createRestController(adapter: HttpAdapterKind): Type {
  @A2aBinding({ reader: RestCallReader, filter: RestExceptionFilter, paths: MOUNTS })
  class RestController {
    constructor(
      private readonly handler: RequestHandler,
      private readonly bodies: BodyReader,
      private readonly codec: RestCodec,
      private readonly sse: SseWriter,
      private readonly unrouted: UnroutedRequests,
    ) {}

    async call(annotated: RestRoute, exchange: HttpExchange): Promise<void> {
      const route = addressedRoute(annotated, exchange);
      if (!route || isHeadOfStream(route, exchange)) return this.unrouted.answer(exchange);
      const { operation } = route;
      const request = this.codec.readRequest(route, exchange, route.hasBody ? await this.bodies.read(exchange) : '');
      if (operation.streaming) {
        const call = { ...exchange.call, lastEventVersion: lastEventVersion(exchange.call, operation) };
        return this.sse.write(exchange, call, (known) => invokeStream(this.handler, operation, request, known), REST_FRAMING);
      }
      const { response, activatedExtensions } = await invokeUnary(this.handler, operation, request, exchange.call);
      const headers = resultHeaders(operation, 'application/a2a+json', activatedExtensions);
      exchange.send(200, headers, this.codec.formatResponse(operation, response));
    }
  }
  for (const route of REST_ROUTES) addRoute(RestController.prototype, route, adapter);
  return RestController;
}

interface Callable {
  call(route: RestRoute, exchange: HttpExchange): Promise<void>;
}

/** What `@Get('…')` on a method would do, for a method made from the table. */
function addRoute(prototype: Callable, route: RestRoute, adapter: HttpAdapterKind): void {
  const name = `${route.operation.handler} ${route.verb} ${route.path}`;
  const descriptor: PropertyDescriptor = {
    configurable: true,
    value(this: Callable, request: AdapterRequest, response: AdapterResponse) {
      return this.call(route, HttpExchange.of(request, response));
    },
  };
  Object.defineProperty(prototype, name, descriptor);
  METHODS[route.verb](formatRoutePath(route.path, adapter))(prototype, name, descriptor);
  HttpCode(200)(prototype, name, descriptor);
  ServesOperation(route.operation.name)(prototype, name, descriptor);
  Req()(prototype, name, 0);
  Res()(prototype, name, 1);
}

/** Fastify takes an escaped colon in an id for the one before the verb; Express does not, and it is right. */
function addressedRoute(route: RestRoute, exchange: HttpExchange): RestRoute | undefined {
  const verb = routeVerb(route.path);
  if (!verb || exchange.path.replace(/\/$/, '').endsWith(verb)) return route;
  exchange.params = { ...exchange.params, id: `${exchange.params.id}${verb}` };
  return routeWithoutVerb(route);
}

/** Both adapters answer HEAD where there is GET, which would keep a stream open for nobody. */
function isHeadOfStream({ operation }: RestRoute, { request }: HttpExchange): boolean {
  return operation.streaming && request.method === 'HEAD';
}

const REST_FRAMING: EventFraming = {
  item: ({ json }: StreamItem) => json,
  error: (error: A2aError) => formatRestError(error),
};
