import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.process>;

/** Addresses and CIDR blocks. IPv4 inside IPv6 counts as IPv4. */
export class AddressList {
  readonly #blocks: readonly (readonly [Address, number])[];

  /** @throws {Error} naming the entry that is neither address nor CIDR block */
  constructor(entries: readonly string[]) {
    this.#blocks = entries.map(parseBlock);
  }

  has(address: string | undefined): boolean {
    if (!address || !ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return this.#blocks.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
  }
}

function parseBlock(entry: string): readonly [Address, number] {
  try {
    if (entry.includes('/')) return ipaddr.parseCIDR(entry);
    const address = ipaddr.process(entry);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch (cause) {
    throw new Error(`"${entry}" is neither an address nor a CIDR block`, { cause });
  }
}
