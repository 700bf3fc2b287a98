/** Bounds of one outbound exchange. None of them has a default: who calls out says how long and how much. */
export interface OutboundOptions {
  /** Longest body that is read. */
  readonly maxBytes: number;
  /** Whole exchange, connecting included. */
  readonly timeoutMs: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Stop reading at `maxBytes` instead of failing; for answers whose body is of no interest. Default false. */
  readonly drop?: boolean;
  /** Where this call may go, in place of the host's rule. */
  readonly targets?: OutboundTargets;
}

/** Where outbound calls may go. */
export interface OutboundTargets {
  /** `http:` beside `https:`. Default false. */
  readonly allowHttp?: boolean;
  /** Default 443 and 8443. `*` opens all. */
  readonly ports?: readonly number[] | '*';
  /** CIDRs that are reachable although they are not public. Default none. */
  readonly openNetworks?: readonly string[];
  /** Internal host names that may be called, such as `keycloak`; what they resolve to still has to be allowed. Default none. */
  readonly openNames?: readonly string[];
}

/** An answer, whatever its status; a 3xx is one like any other. */
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
  /**
   * What is wrong with a target, in words for its owner; undefined when nothing is. Looks at the URL alone: nothing is resolved or sent.
   */
  abstract refusal(url: string, targets?: OutboundTargets): string | undefined;

  /**
   * As `refusal`, and the addresses that the name has at this moment are judged too. Nothing is sent. A name that cannot be resolved soon is
   * not refused, since every connection judges addresses anyway.
   */
  async resolvedRefusal(url: string, targets?: OutboundTargets): Promise<string | undefined> {
    return this.refusal(url, targets);
  }

  /** @throws {OutboundError} when there is no answer within the bounds, or the target is not allowed */
  abstract get(url: string, options: OutboundOptions): Promise<OutboundResponse>;

  /** @throws {OutboundError} when there is no answer within the bounds, or the target is not allowed */
  abstract post(url: string, body: string | Uint8Array, options: OutboundOptions): Promise<OutboundResponse>;
}

/** `blocked`: the target or its address is not allowed. `too-large`: the body goes beyond `maxBytes`. */
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
