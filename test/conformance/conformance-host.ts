import { type JsonObject } from '@bufbuild/protobuf';
import { type A2aClient } from '../support/clients/a2a-client.js';
import { GrpcClient } from '../support/clients/grpc.js';
import { JsonRpcClient } from '../support/clients/json-rpc.js';
import { RestClient } from '../support/clients/rest.js';
import { type Host, startHost } from '../support/host.js';

export type Wire = A2aClient['wire'];

export const WIRES: readonly Wire[] = ['JSONRPC', 'HTTP+JSON', 'GRPC'];
export const HTTP_WIRES: readonly Wire[] = ['JSONRPC', 'HTTP+JSON'];

/** The built host with the conformance agent at its root, and a client on each wire that its card offers. */
export class ConformanceHost {
  readonly jsonRpc: JsonRpcClient;
  readonly rest: RestClient;
  readonly grpc: GrpcClient;

  private constructor(
    readonly process: Host,
    readonly card: CardJson,
  ) {
    this.jsonRpc = clientOf(card, 'JSONRPC') as JsonRpcClient;
    this.rest = clientOf(card, 'HTTP+JSON') as RestClient;
    this.grpc = clientOf(card, 'GRPC') as GrpcClient;
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<ConformanceHost> {
    const process = await startHost({ env: { A2A_CONFORMANCE_AGENT: '1', ...env } });
    const card = await fetch(`${process.httpUrl}/.well-known/agent-card.json`);
    return new ConformanceHost(process, (await card.json()) as CardJson);
  }

  get httpUrl(): string {
    return this.process.httpUrl;
  }

  client(wire: Wire): A2aClient {
    switch (wire) {
      case 'JSONRPC':
        return this.jsonRpc;
      case 'HTTP+JSON':
        return this.rest;
      case 'GRPC':
        return this.grpc;
    }
  }

  /** A client of another agent on this host, from its card; the caller closes it. */
  async connect(agentId: string, wire: Wire): Promise<A2aClient> {
    const card = await fetch(`${this.httpUrl}/agents/${agentId}/.well-known/agent-card.json`);
    return clientOf((await card.json()) as CardJson, wire);
  }

  async stop(): Promise<void> {
    this.grpc.close();
    await this.process.stop();
  }
}

/** A client on the interface that a card offers for a wire (A2A §8.3.2). */
export function clientOf({ supportedInterfaces }: CardJson, wire: Wire): A2aClient {
  const offered = supportedInterfaces.find(({ protocolBinding }) => protocolBinding === wire);
  if (!offered) throw new Error(`The card offers no ${wire}`);
  switch (wire) {
    case 'JSONRPC':
      return new JsonRpcClient(offered.url, offered.tenant);
    case 'HTTP+JSON':
      return new RestClient(offered.url, offered.tenant);
    case 'GRPC':
      return new GrpcClient(offered.url, offered.tenant);
  }
}

export interface CardJson extends JsonObject {
  supportedInterfaces: { url: string; protocolBinding: string; protocolVersion: string; tenant?: string }[];
}

/** Starts one host for a describe block. */
export function useConformanceHost(env: Readonly<Record<string, string>> = {}): () => ConformanceHost {
  let host: ConformanceHost | undefined;
  beforeAll(async () => {
    host = await ConformanceHost.start(env);
  });
  afterAll(async () => {
    await host?.stop();
  });
  return () => {
    if (!host) throw new Error('The host has not started');
    return host;
  };
}
