import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Publicly routed, and still nobody's business: the platform services of a large cloud, and relics that reach elsewhere. */
const DENIED_V4 = ['168.63.129.16/32', '192.88.99.0/24', '198.18.0.0/15'].map(ipaddr.parseCIDR);

/** Only 2000::/3 is handed out, and these parts of it lead back into IPv4, into tunnels or nowhere. */
const GLOBAL_V6 = ipaddr.parseCIDR('2000::/3');
const DENIED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(ipaddr.parseCIDR);

/**
 * Whether this host may connect to an address: a public one, or one in a network that the operator opened.
 *
 * IPv4 addresses written as IPv6 are judged as what they are (A2A §13.2).
 */
export class AddressPolicy {
  readonly #open: readonly Network[];

  /** @param openNetworks CIDRs that are allowed although they are not public, for development */
  constructor(openNetworks: readonly string[] = []) {
    this.#open = openNetworks.map((network) => ipaddr.parseCIDR(network));
  }

  /** @param address textual; what is no address is not allowed */
  isAllowed(address: string): boolean {
    const bare = address.split('%')[0] ?? '';
    if (!ipaddr.isValid(bare) || bare !== address) return false;
    const parsed = ipaddr.process(bare);
    return isIn(parsed, this.#open) || isPublic(parsed);
  }
}

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && !isIn(address, DENIED_V4);
  return isIn(address, [GLOBAL_V6]) && !isIn(address, DENIED_V6);
}

function isIn(address: Address, networks: readonly Network[]): boolean {
  return networks.some(
    ([network, bits]) => network.kind() === address.kind() && (address as ipaddr.IPv4).match(network as ipaddr.IPv4, bits),
  );
}
