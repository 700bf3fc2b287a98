import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** What proxies add to requests that they pass on (RFC 7239, RFC 9110 §7.6.3, and what was there before). */
const MARKS_OF_PROXIES = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** Finds the client behind proxies of ours. A header that came another way is not believed. */
export class TrustedProxies {
  readonly #ranges: readonly [Address, number][];

  /** @throws {Error} naming an entry that is neither an address nor a CIDR range */
  constructor(entries: readonly string[]) {
    this.#ranges = entries.map(parseRange);
  }

  /**
   * @param peer address of the other end of the connection
   * @param forwardedFor `X-Forwarded-For`, nearest hop last
   * @returns the nearest address that is not a trusted proxy
   */
  clientAddress(peer: string | undefined, forwardedFor: string | undefined): string | undefined {
    if (!peer || !forwardedFor || this.#ranges.length === 0 || !this.#trusts(peer)) return peer;
    const hops = forwardedFor.split(',').map((hop) => hop.trim());
    const client = hops.findLast((hop) => !this.#trusts(hop));
    return client !== undefined && ipaddr.isValid(client) ? client : peer;
  }

  /**
   * Whether one connection may carry the calls of many clients, because a proxy is at its other end: one of ours, or any that says so. A
   * client that says so of itself only gives up being known by its connection.
   *
   * @param headers by lower-case name
   */
  mayShareConnection(peer: string | undefined, headers: ReadonlyMap<string, string>): boolean {
    return (peer !== undefined && this.#trusts(peer)) || MARKS_OF_PROXIES.some((name) => headers.has(name));
  }

  #trusts(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return this.#ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits));
  }
}

function parseRange(entry: string): [Address, number] {
  try {
    if (entry.includes('/')) return ipaddr.parseCIDR(entry);
    const address = ipaddr.process(entry);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch (cause) {
    throw new Error(`A2aBindingsModule: trustedProxies holds "${entry}", which is neither an address nor a range such as 10.0.0.0/8`, {
      cause,
    });
  }
}
