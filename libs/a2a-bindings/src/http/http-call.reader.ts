import { type ExecutionContext, Injectable } from '@nestjs/common';
import {
  A2aError,
  AgentRegistry,
  type BindingName,
  type CallSeed,
  type IdentifiedCall,
  type OperationName,
  VERSION_PARAM,
} from '@a2a/a2a-core';
import { HttpSettings } from '../a2a-bindings.options.js';
import { CallReader } from '../call-reader.js';
import { Cors } from './cors.js';
import { readHeaders } from './header-map.js';
import { connectionOf } from './http-connection.js';
import { HttpExchange } from './http-exchange.js';
import { isTenantName } from './tenant-name.js';
import { TrustedProxies } from './trusted-proxies.js';

type Query = ReadonlyMap<string, readonly string[]>;

const NO_QUERY: Query = new Map();

/** What both HTTP wires tell of a call: agent and tenant from the URL, headers, connection, and a signal for when the client has gone. */
@Injectable()
export abstract class HttpCallReader extends CallReader {
  protected abstract readonly binding: BindingName;
  readonly #proxies: TrustedProxies;
  readonly #cors: Cors;

  constructor(
    private readonly agents: AgentRegistry,
    settings: HttpSettings,
  ) {
    super();
    this.#proxies = new TrustedProxies(settings.trustedProxies);
    this.#cors = new Cors(settings.cors);
  }

  read(context: ExecutionContext): CallSeed {
    const exchange = HttpExchange.from(context);
    this.#cors.allow(exchange);
    const { agent: mount, tenant: pathTenant } = exchange.params;
    const operation = this.operationOf(context);
    exchange.begun = { binding: this.binding, mount, operation, startedAt: performance.now(), requestBytes: exchange.announcedBytes };
    if ((mount !== undefined && !this.agents.find(mount)) || (pathTenant !== undefined && !isTenantName(pathTenant))) {
      throw new A2aError('ROUTE_NOT_FOUND', 'No such path');
    }
    const { headers, repeatedHeaders } = readHeaders(exchange.request.rawHeaders);
    const { connectionAddress, connectionId, peerCertificate } = connectionOf(exchange.request.socket);
    const query = exchange.query === '' ? NO_QUERY : readParameters(exchange.query);
    return {
      binding: this.binding,
      mount,
      pathTenant,
      headers,
      repeatedHeaders,
      query,
      queryVersion: queryVersion(query),
      remoteAddress: this.#proxies.clientAddress(connectionAddress, headers.get('x-forwarded-for')),
      connectionAddress,
      connectionId: this.#proxies.mayShareConnection(connectionAddress, headers) ? undefined : connectionId,
      peerCertificate,
      signal: exchange.signal,
    };
  }

  /** The operation, where the route alone says it. */
  protected operationOf(_context: ExecutionContext): OperationName | undefined {
    return undefined;
  }

  accept(context: ExecutionContext, call: IdentifiedCall): void {
    HttpExchange.from(context).accept(call);
  }
}

function readParameters(query: string): Query {
  const parameters = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
}

/** `?A2A-Version=`, in any case (A2A §3.6.1). */
function queryVersion(query: Query): string | undefined {
  if (query.size === 0) return undefined;
  const values = [...query].flatMap(([name, all]) => (name.toLowerCase() === VERSION_PARAM ? all : []));
  return values.length > 0 ? values.join(', ') : undefined;
}
