import { type DynamicModule, Inject, Module, type NestModule, type OnModuleInit, type Type } from '@nestjs/common';
import { A2A_CORE_OPTIONS, type A2aCoreOptions, WireRegistry } from '@a2a/a2a-core';
import { type A2aBindingsOptions, HttpSettings } from './a2a-bindings.options.js';
import { AgentCardController } from './agent-card/agent-card.controller.js';
import { WebhookKeysController } from './agent-card/webhook-keys.controller.js';
import { Catalog } from './catalog/catalog.js';
import { CatalogController } from './catalog/catalog.controller.js';
import { FrontPageController } from './catalog/front-page.controller.js';
import { ErrorReporter } from './error-reporter.js';
import { GRPC_BINDING } from './grpc/grpc.providers.js';
import { BodyReader } from './http/body.reader.js';
import { HttpAdapterSetup } from './http-adapters/http-adapter.setup.js';
import { HttpEndpoints } from './http/http-endpoints.js';
import { HttpFailures } from './http/http.failures.js';
import { HttpWire } from './http/http.wire.js';
import { SseWriter } from './http/sse.writer.js';
import { UnroutedRequests } from './http-adapters/unrouted-requests.js';
import { JsonRpcCallReader } from './json-rpc/json-rpc.call-reader.js';
import { JsonRpcCodec } from './json-rpc/json-rpc.codec.js';
import { createJsonRpcController } from './json-rpc/json-rpc.controller.js';
import { RestCallReader } from './rest/rest.call-reader.js';
import { RestCodec } from './rest/rest.codec.js';
import { createRestController } from './rest/rest.controller.js';
import { StreamRegistry } from './streams/stream-registry.js';

const HTTP = [HttpEndpoints, UnroutedRequests, HttpAdapterSetup, BodyReader, HttpFailures, SseWriter, Catalog];
const JSON_RPC = [JsonRpcCallReader, JsonRpcCodec];
const REST = [RestCallReader, RestCodec];

/**
 * The wires of a host: JSON-RPC and HTTP+JSON over the application's own HTTP server, gRPC once `connectA2aGrpc` is called, and the cards
 * that tell of them.
 *
 * Needs A2aCoreModule. Import it after modules with routes of their own at the root, so that Express asks those first.
 */
@Module({})
export class A2aBindingsModule implements NestModule, OnModuleInit {
  static forRoot(options: A2aBindingsOptions = {}): DynamicModule {
    const settings = new HttpSettings(options);
    return {
      module: A2aBindingsModule,
      controllers: controllersFor(settings),
      providers: [
        { provide: HttpSettings, useValue: settings },
        ...HTTP,
        ...JSON_RPC,
        ...REST,
        ...GRPC_BINDING.providers,
        ErrorReporter,
        StreamRegistry,
      ],
      exports: [StreamRegistry],
    };
  }

  constructor(
    private readonly http: HttpAdapterSetup,
    settings: HttpSettings,
    wires: WireRegistry,
    @Inject(A2A_CORE_OPTIONS) { publicUrl }: A2aCoreOptions,
  ) {
    if (settings.jsonRpc) wires.add(new HttpWire('JSONRPC', publicUrl, '/rpc'));
    if (settings.rest) wires.add(new HttpWire('HTTP+JSON', publicUrl, ''));
  }

  /** Nest calls this before it makes routes. */
  configure(): void {
    this.http.check();
  }

  /** Nest calls this after it has made routes and before its own 404. */
  onModuleInit(): void {
    this.http.catchUnrouted();
  }
}

/** The busiest first: Express tries them in this order. */
function controllersFor({ frontPage, httpAdapter, jsonRpc, rest }: HttpSettings): Type[] {
  return [
    ...(jsonRpc ? [createJsonRpcController(httpAdapter)] : []),
    AgentCardController,
    WebhookKeysController,
    ...(rest ? [createRestController(httpAdapter)] : []),
    CatalogController,
    ...(frontPage ? [FrontPageController] : []),
    ...GRPC_BINDING.controllers,
  ];
}
