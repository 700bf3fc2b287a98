import { Injectable } from '@nestjs/common';
import { A2aError, AgentRegistry } from '@a2a/a2a-core';
import { HttpSettings } from '../a2a-bindings.options.js';
import { writeJsonRpcError } from '../json-rpc/json-rpc.errors.js';
import { writeRestError } from '../rest/rest.errors.js';
import { Cors } from '../http/cors.js';
import { HttpEndpoints } from '../http/http-endpoints.js';
import { type HttpExchange } from '../http/http-exchange.js';

/**
 * Answers requests for our addresses that no route takes, in the shape of the wire: 404, 405 with `Allow`, and preflights.
 *
 * The adapters would answer them in a shape of their own.
 */
@Injectable()
export class UnroutedRequests {
  readonly #cors: Cors;

  constructor(
    private readonly endpoints: HttpEndpoints,
    private readonly agents: AgentRegistry,
    settings: HttpSettings,
  ) {
    this.#cors = new Cors(settings.cors);
  }

  /** Whether `answer` is the one to answer. */
  owns(path: string): boolean {
    return this.endpoints.owns(path);
  }

  answer(exchange: HttpExchange): void {
    if (this.#meansNobody(exchange.path)) return this.#refuse(exchange, new A2aError('ROUTE_NOT_FOUND', 'No such agent'), 'HTTP+JSON');
    const methods = this.endpoints.methodsAt(exchange.path);
    if (methods.length === 0) return this.#refuse(exchange, new A2aError('ROUTE_NOT_FOUND', 'No such path'));
    const allow = [...methods, 'OPTIONS'].join(', ');
    if (exchange.request.method === 'OPTIONS') {
      if (this.endpoints.isPublic(exchange.path)) this.#cors.allowReading(exchange, allow);
      else this.#cors.allowPreflight(exchange, allow);
      return exchange.send(204, { allow }, '');
    }
    exchange.headers = { ...exchange.headers, allow };
    this.#refuse(exchange, new A2aError('METHOD_NOT_ALLOWED', 'Method not allowed'));
  }

  /** The adapter could not even read the path. */
  refuseMalformed(exchange: HttpExchange): void {
    this.#refuse(exchange, new A2aError('INVALID_REQUEST', 'The path is not well-formed'));
  }

  /** No method works below an agent that is not there, so that 405 would be wrong. */
  #meansNobody(path: string): boolean {
    const mount = this.endpoints.mountAt(path);
    return mount !== undefined && !this.agents.find(mount);
  }

  #refuse(exchange: HttpExchange, error: A2aError, shape = this.endpoints.shapeAt(exchange.path)): void {
    this.#cors.allow(exchange);
    if (shape === 'JSONRPC') writeJsonRpcError(exchange, error);
    else writeRestError(exchange, error);
  }
}
