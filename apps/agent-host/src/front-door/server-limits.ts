import { type ServerOptions } from 'node:http';

/**
 * Time and room a client gets to say what it wants. Answers, streams above all, may take as long as they like: once a request has arrived
 * in full these limits are over.
 */
export const SERVER_LIMITS = {
  /** For all headers of a request. */
  headersTimeout: 10_000,
  /** For a whole request, its body included. */
  requestTimeout: 30_000,
  /** How often the two above are looked at. */
  connectionsCheckingInterval: 5_000,
  /** How long a connection may be idle between two requests. */
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16_384,
} as const satisfies ServerOptions;

/** For a TLS handshake, before there is any request. */
export const HANDSHAKE_TIMEOUT_MS = 10_000;
