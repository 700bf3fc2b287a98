import { HttpCode, Post, Req, Res, type Type } from '@nestjs/common';
import { A2aError, type Operation, RequestHandler, type StreamItem } from '@a2a/a2a-core';
import { type Message } from '@bufbuild/protobuf';
import { A2aBinding } from '../a2a-binding.decorator.js';
import { resultHeaders } from '../http/answer-headers.js';
import { BodyReader } from '../http/body.reader.js';
import { RPC_PATHS } from '../http/http-endpoints.js';
import { type AdapterRequest, type AdapterResponse, HttpExchange } from '../http/http-exchange.js';
import { lastEventVersion } from '../http/last-event-id.js';
import { formatRoutePath, type HttpAdapterKind, MOUNTS } from '../http-adapters/route-path.js';
import { type EventFraming } from '../http/event-stream.js';
import { SseWriter } from '../http/sse.writer.js';
import { invokeStream, invokeUnary } from '../invoke-operation.js';
import { JsonRpcCallReader } from './json-rpc.call-reader.js';
import { JsonRpcCodec } from './json-rpc.codec.js';
import { formatJsonRpcError } from './json-rpc.errors.js';
import { JsonRpcExceptionFilter } from './json-rpc.exception-filter.js';

/** The JSON-RPC binding: one address for all methods of an agent (A2A §9). */
export function createJsonRpcController(adapter: HttpAdapterKind): Type {
  @A2aBinding({ reader: JsonRpcCallReader, filter: JsonRpcExceptionFilter, paths: MOUNTS })
  class JsonRpcController {
    constructor(
      private readonly handler: RequestHandler,
      private readonly bodies: BodyReader,
      private readonly codec: JsonRpcCodec,
      private readonly sse: SseWriter,
    ) {}

    @Post(RPC_PATHS.map((path) => formatRoutePath(path, adapter)))
    @HttpCode(200)
    async call(@Req() request: AdapterRequest, @Res() response: AdapterResponse): Promise<void> {
      const exchange = HttpExchange.of(request, response);
      const { operation, request: message } = this.codec.readCall(await this.bodies.read(exchange), exchange);
      await (operation.streaming ? this.#stream(exchange, operation, message) : this.#answer(exchange, operation, message));
    }

    async #answer(exchange: HttpExchange, operation: Operation, request: Message): Promise<void> {
      const { response, activatedExtensions } = await invokeUnary(this.handler, operation, request, exchange.call);
      const body = this.codec.formatResult(exchange.rpcId, operation, response);
      exchange.send(200, resultHeaders(operation, 'application/json', activatedExtensions), body);
    }

    async #stream(exchange: HttpExchange, operation: Operation, request: Message): Promise<void> {
      const call = { ...exchange.call, lastEventVersion: lastEventVersion(exchange.call, operation) };
      const framing = new JsonRpcFraming(exchange.rpcId);
      await this.sse.write(exchange, call, (known) => invokeStream(this.handler, operation, request, known), framing);
    }
  }
  return JsonRpcController;
}

/** Every event is a whole response object with the id of the request (A2A §9.4.2). */
class JsonRpcFraming implements EventFraming {
  readonly #start: string;

  constructor(private readonly id: string) {
    this.#start = `{"jsonrpc":"2.0","id":${id},"result":`;
  }

  item({ json }: StreamItem): string {
    return `${this.#start}${json}}`;
  }

  error(error: A2aError): string {
    return formatJsonRpcError(this.id, error);
  }
}
