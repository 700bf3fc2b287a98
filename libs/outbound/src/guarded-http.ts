import { isIP } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Agent, type Dispatcher, errors, request } from 'undici';
import { OutboundError, OutboundHttp, type OutboundOptions, type OutboundResponse, type OutboundTargets } from '@a2a/a2a-core';
import { BlockedTarget, guardedConnector, type Resolve, systemResolve } from './guarded-connector.js';
import { TargetPolicy } from './target.policy.js';

const CONNECTIONS_PER_ORIGIN = 8;
const MAX_HEADER_BYTES = 16_384;
const CONNECT_TIMEOUT_MS = 5_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** Who registers a target waits no longer than this for its name. */
const RESOLVE_TIMEOUT_MS = 1_000;

/** `resolve` is for tests. Default: how this machine resolves names. */
export interface GuardedHttpOptions {
  /** Where calls may go that say nothing of their own. Default: public addresses, https, ports 443 and 8443. */
  readonly targets?: OutboundTargets;
  readonly resolve?: Resolve;
}

/**
 * The one door out: every call of this host to others goes through here.
 *
 * - No redirects, no proxies from the environment, no decompression, bounded headers, bodies and times.
 * - URL rules first, then the address at the moment of connecting (A2A §13.2, §14.1.1).
 */
export class GuardedHttp extends OutboundHttp {
  readonly #doors = new Map<string, { readonly policy: TargetPolicy; readonly agent: Agent }>();
  readonly #resolve: Resolve;

  constructor(private readonly options: GuardedHttpOptions = {}) {
    super();
    this.#resolve = options.resolve ?? systemResolve;
  }

  async get(url: string, options: OutboundOptions): Promise<OutboundResponse> {
    return this.#exchange('GET', url, undefined, options);
  }

  async post(url: string, body: string | Uint8Array, options: OutboundOptions): Promise<OutboundResponse> {
    return this.#exchange('POST', url, body, options);
  }

  refusal(url: string, targets?: OutboundTargets): string | undefined {
    return this.#door(targets).policy.refusal(url);
  }

  override async resolvedRefusal(url: string, targets?: OutboundTargets): Promise<string | undefined> {
    const { policy } = this.#door(targets);
    const refusal = policy.refusal(url);
    const { hostname } = refusal === undefined ? new URL(url) : { hostname: '' };
    if (refusal !== undefined || hostname.startsWith('[') || isIP(hostname) > 0) return refusal;
    const patience = new AbortController();
    const late = setTimeout(RESOLVE_TIMEOUT_MS, [], { signal: patience.signal }).catch(() => []);
    const addresses = await Promise.race([this.#resolve(hostname).catch(() => []), late]);
    patience.abort();
    return policy.refusalOf(addresses.map(({ address }) => address));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#doors.values()].map(({ agent }) => agent.destroy()));
  }

  async #exchange(
    method: 'GET' | 'POST',
    url: string,
    body: string | Uint8Array | undefined,
    options: OutboundOptions,
  ): Promise<OutboundResponse> {
    const { policy, agent } = this.#door(options.targets);
    const refusal = policy.refusal(url);
    if (refusal) throw new OutboundError('blocked', refusal);
    const timeout = AbortSignal.timeout(options.timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    try {
      const headers = { 'accept-encoding': 'identity', ...options.headers };
      const response = await request(url, { method, body, headers, dispatcher: agent, signal });
      return await read(response, options.maxBytes, options.drop ?? false);
    } catch (error) {
      throw toOutboundError(error, timeout.aborted);
    }
  }

  #door(targets: OutboundTargets = this.options.targets ?? {}): { readonly policy: TargetPolicy; readonly agent: Agent } {
    const key = JSON.stringify([targets.allowHttp, targets.ports, targets.openNetworks, targets.openNames]);
    const known = this.#doors.get(key);
    if (known) return known;
    const policy = new TargetPolicy(targets);
    const connect = guardedConnector(policy.addresses, this.#resolve, { timeout: CONNECT_TIMEOUT_MS });
    const agent = new Agent({
      connect,
      connections: CONNECTIONS_PER_ORIGIN,
      headersTimeout: HEADERS_TIMEOUT_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      pipelining: 1,
    });
    const door = { policy, agent };
    this.#doors.set(key, door);
    return door;
  }
}

async function read({ statusCode, headers, body }: Dispatcher.ResponseData, maxBytes: number, drop: boolean): Promise<OutboundResponse> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxBytes && drop) break;
    if (bytes > maxBytes) throw new OutboundError('too-large', `more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), String(value)]);
  return { status: statusCode, headers: new Map(entries), body: Buffer.concat(chunks) };
}

function toOutboundError(error: unknown, timedOut: boolean): OutboundError {
  if (error instanceof OutboundError) return error;
  if (isBlocked(error)) return new OutboundError('blocked', 'the target address is not allowed', { cause: error });
  const isTimeout = timedOut || error instanceof errors.HeadersTimeoutError || error instanceof errors.ConnectTimeoutError;
  return isTimeout
    ? new OutboundError('timeout', 'no answer in time', { cause: error })
    : new OutboundError('network', 'no answer', { cause: error });
}

function isBlocked(error: unknown): boolean {
  return error instanceof BlockedTarget || (error instanceof Error && error.cause !== undefined && isBlocked(error.cause));
}
