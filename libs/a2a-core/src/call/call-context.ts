import { type OperationName } from '../protocol/operations.js';
import { type TaskScope } from '../tasks/task-scope.js';
import { type Principal } from './principal.js';

/** The wire a call came in on, as the card names it. */
export type BindingName = 'JSONRPC' | 'HTTP+JSON' | 'GRPC' | (string & {});

/** A certificate whose key the peer has proven to hold, by finishing the handshake. */
export interface PeerCertificate {
  /** The leaf, DER. */
  readonly der: Uint8Array;
  /** Its chain leads to an authority this host trusts. */
  readonly verified: boolean;
}

/**
 * What a wire knows of a call from its headers or metadata alone, before any body is read.
 *
 * Header names are lower-case; several fields of one name are joined by `, ` as RFC 9110 says.
 */
export interface CallSeed {
  readonly binding: BindingName;
  /** The agent that the URL names; undefined where the URL names none (the default agent, or gRPC). */
  readonly mount?: string;
  /** The tenant that the URL names. */
  readonly pathTenant?: string;
  readonly headers: ReadonlyMap<string, string>;
  /** `?A2A-Version=`, where a wire has request parameters. */
  readonly queryVersion?: string;
  /** Address of the peer, for limits and audit. */
  readonly remoteAddress?: string;
  /** Address at the other end of the connection itself, never taken from a header. Default: `remoteAddress`. */
  readonly connectionAddress?: string;
  /** Unguessable name of the connection, where it is one client's alone; it tells callers without credentials apart. */
  readonly connectionId?: string;
  /** Request parameters, each with all its values, names as sent. Undefined where a wire has none (gRPC). */
  readonly query?: ReadonlyMap<string, readonly string[]>;
  /** Names of header fields that came more than once. A credential among them is refused. */
  readonly repeatedHeaders?: ReadonlySet<string>;
  /** The certificate that the peer of the TLS connection showed. */
  readonly peerCertificate?: PeerCertificate;
  /** Aborts when the caller has gone. It ends reading, never the run. */
  readonly signal: AbortSignal;
}

/** A seed whose caller is known; the guard makes it. */
export interface IdentifiedCall extends CallSeed {
  readonly principal: Principal;
}

/** Everything the core knows of one call. Frozen. */
export interface CallContext {
  readonly operation: OperationName;
  readonly binding: BindingName;
  readonly agentId: string;
  readonly tenant: string;
  readonly principal: Principal;
  /** Where this call's tasks live: agent, tenant and owner. */
  readonly scope: TaskScope;
  /** Address of the peer, for limits and audit. */
  readonly remoteAddress?: string;
  /** Negotiated `Major.Minor`. */
  readonly version: string;
  /** URIs that the agent declares and this call activates, in the order asked. */
  readonly activatedExtensions: readonly string[];
  readonly headers: ReadonlyMap<string, string>;
  /** Aborts when the caller has gone. It ends reading, never the run. */
  readonly signal: AbortSignal;
  /** W3C trace context of the caller, if any. */
  readonly traceparent?: string;
  /** Version of the last event a resuming reader has seen (SSE `Last-Event-ID`); undefined for a fresh subscription. */
  readonly lastEventVersion?: number;
}
