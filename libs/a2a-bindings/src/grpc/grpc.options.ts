import { type HostedAgent } from '@a2a/a2a-core';
import { TrustedProxies } from '../http/trusted-proxies.js';
import { type ShapeLimits } from './message.scanner.js';

/** What `connectA2aGrpc` takes. Only `url` has no default. */
export interface A2aGrpcOptions extends Partial<ShapeLimits> {
  /** `host:port` to listen on; port 0 for any free one. */
  readonly url: string;
  /** `host:port` as clients reach it and cards say it. Default: the host of the core's `publicUrl` and the port listened on. */
  readonly publicAddress?: string;
  /** Default: plaintext, for a loopback address or behind a proxy that ends TLS (A2A §10.1 asks for TLS in production). */
  readonly tls?: GrpcTlsOptions;
  /** Largest request of an agent that sets no `requestBytes` of its own. Bytes, default 1 MiB. */
  readonly maxMessageBytes?: number;
  /** Time a request has to arrive in full once its metadata have. Milliseconds, default 30 000. */
  readonly requestTimeoutMs?: number;
  /** Addresses or CIDR ranges of proxies whose `x-forwarded-for` counts. Default none: the entry is ignored. */
  readonly trustedProxies?: readonly string[];
  /** Names and values of a request's metadata together. Bytes, default 8 192. */
  readonly maxMetadataBytes?: number;
  /** Entries of a request's metadata. Default 64. */
  readonly maxMetadataKeys?: number;
  /** Calls open at once on one connection. Default 100. */
  readonly maxConcurrentStreams?: number;
  /** A connection is asked to end when it is this old. Milliseconds, default 30 minutes. */
  readonly maxConnectionAgeMs?: number;
  /** What its open calls then have left. Milliseconds, default 5 minutes. */
  readonly maxConnectionAgeGraceMs?: number;
  /** A silent connection is probed after this time. Milliseconds, default 60 000. */
  readonly keepaliveTimeMs?: number;
  /** An unanswered probe ends the connection. Milliseconds, default 20 000. */
  readonly keepaliveTimeoutMs?: number;
  /** Streams open at once in this process, those of other wires included; more is RESOURCE_EXHAUSTED. Default 2 000. */
  readonly maxOpenStreams?: number;
  /** A stream whose reader takes nothing for this long is ended, alone. Milliseconds, default 30 000. */
  readonly slowReaderTimeoutMs?: number;
  /** What calls have left to end by themselves when the server closes. Milliseconds, default 2 000. */
  readonly shutdownGraceMs?: number;
  /** Serves the reflection service, for tools such as grpcurl. Default true. */
  readonly reflection?: boolean;
}

/** Files in PEM, read when the server starts. */
export interface GrpcTlsOptions {
  readonly certFile: string;
  readonly keyFile: string;
  /** Authorities of clients' certificates. Default: clients are asked for none. */
  readonly clientCaFile?: string;
  /**
   * With `clientCaFile`: `required` lets nobody connect without a certificate of those authorities; `welcome` asks for one, and who shows
   * none, or a stranger's, is a caller without. Default `required`.
   */
  readonly clientCertificates?: 'required' | 'welcome';
}

/** The options with everything filled in, as the parts of the wire take them. */
export type GrpcSettings = A2aGrpcOptions &
  typeof DEFAULTS & {
    /** Finds the client behind `trustedProxies`. */
    readonly proxies: TrustedProxies;
    /** What the agent that takes least takes. */
    readonly leastMessageBytes: number;
    /** What the agent that takes most takes; grpc-js reads no more. */
    readonly largestMessageBytes: number;
  };

const DEFAULTS = {
  maxDepth: 64,
  maxNodes: 20_000,
  maxMessageBytes: 1024 * 1024,
  maxMetadataBytes: 8_192,
  maxMetadataKeys: 64,
  maxConcurrentStreams: 100,
  maxConnectionAgeMs: 30 * 60_000,
  maxConnectionAgeGraceMs: 5 * 60_000,
  keepaliveTimeMs: 60_000,
  keepaliveTimeoutMs: 20_000,
  maxOpenStreams: 2_000,
  requestTimeoutMs: 30_000,
  slowReaderTimeoutMs: 30_000,
  shutdownGraceMs: 2_000,
  reflection: true,
};

/**
 * The options with every default filled in. A key that is given as undefined counts as absent.
 *
 * @param agents those that may take larger requests than others
 */
export function grpcSettings(options: A2aGrpcOptions, agents: readonly HostedAgent[] = []): GrpcSettings {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const settings = { ...DEFAULTS, ...(Object.fromEntries(given) as unknown as A2aGrpcOptions) };
  const sizes = [settings.maxMessageBytes, ...agents.flatMap((agent) => agent.options.limits?.requestBytes ?? [])];
  return {
    ...settings,
    proxies: new TrustedProxies(settings.trustedProxies ?? []),
    leastMessageBytes: Math.min(...sizes),
    largestMessageBytes: Math.max(...sizes),
  };
}
