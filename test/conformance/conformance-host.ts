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
    this.jsonRpc = new JsonRpcClient(this.#urlOf('JSONRPC'));
    this.rest = new RestClient(this.#urlOf('HTTP+JSON'));
    this.grpc = new GrpcClient(this.#urlOf('GRPC'));
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

  async stop(): Promise<void> {
    this.grpc.close();
    await this.process.stop();
  }

  #urlOf(wire: Wire): string {
    const found = this.card.supportedInterfaces.find(({ protocolBinding }) => protocolBinding === wire);
    if (!found) throw new Error(`The card offers no ${wire}`);
    return found.url;
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
