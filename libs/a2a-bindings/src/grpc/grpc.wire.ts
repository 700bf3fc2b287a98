import { type HostedAgent, type ServedWire, type WireAddress, type WireCredentials } from '@a2a/a2a-core';
import { type GrpcSettings } from './grpc.options.js';
import { type GrpcTransport } from './grpc.transport.js';

/** Names of metadata (gRPC over HTTP/2, "Custom-Metadata"). Those that end in `-bin` hold bytes, and `grpc-` is gRPC's own. */
const METADATA_NAME = /^(?!grpc-)[0-9a-z_.-]+(?<!-bin)$/;

/** How cards say that this host is reached over gRPC: `host:port`, and the agent's id as tenant, since a method has one path (A2A §10). */
export class GrpcWire implements ServedWire {
  readonly binding = 'GRPC';
  readonly credentials: WireCredentials;

  constructor(
    private readonly settings: GrpcSettings,
    private readonly transport: GrpcTransport,
    private readonly publicUrl: string,
  ) {
    this.credentials = { certificates: settings.tls?.clientCaFile !== undefined, header: (name) => METADATA_NAME.test(name) };
  }

  addressOf(agent: HostedAgent, atRoot: boolean): WireAddress {
    return atRoot ? { url: this.#address() } : { url: this.#address(), tenant: agent.id };
  }

  #address(): string {
    return this.settings.publicAddress ?? `${new URL(this.publicUrl).hostname}:${this.#port()}`;
  }

  #port(): number {
    const configured = Number(/:(\d+)$/.exec(this.settings.url)?.[1]);
    const port = configured || this.transport.port;
    if (!port) throw new Error(`No port is known for gRPC on ${this.settings.url}. Name one, or read cards once the server listens`);
    return port;
  }
}
