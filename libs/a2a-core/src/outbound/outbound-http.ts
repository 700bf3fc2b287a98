/** Bounds of one outbound exchange. None of them has a default: who calls out says how long and how much. */
export interface OutboundOptions {
  /** Longest body that is read. */
  readonly maxBytes: number;
  /** Whole exchange, connecting included. */
  readonly timeoutMs: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface OutboundResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

/**
 * The one door through which this host calls others: key sets, discovery documents, introspection, webhooks, part URLs.
 *
 * - Redirects are never followed; a 3xx is an answer like any other.
 * - A body longer than `maxBytes` is a failure, not a truncated answer.
 * - The address that is connected to has been judged, not only the name (A2A §13.2, §14.1.1).
 */
export abstract class OutboundHttp {
  /** @throws {OutboundError} when there is no answer within the bounds, or the target is not allowed */
  abstract get(url: string, options: OutboundOptions): Promise<OutboundResponse>;

  /** @throws {OutboundError} when there is no answer within the bounds, or the target is not allowed */
  abstract post(url: string, body: string | Uint8Array, options: OutboundOptions): Promise<OutboundResponse>;
}

export type OutboundFailure = 'blocked' | 'timeout' | 'too-large' | 'network';

/** Why an outbound call has no answer. For the log; never shown to a caller. */
export class OutboundError extends Error {
  constructor(
    readonly failure: OutboundFailure,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'OutboundError';
  }
}
