import { isIPv4, isIPv6 } from 'node:net';

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * One name for all addresses that a single customer usually has: an IPv4 address itself, the first 64 bits of an IPv6 address. IPv4 inside
 * IPv6 counts as IPv4; what is no address is `unknown`.
 */
export function addressPrefix(address = ''): string {
  const plain = MAPPED_IPV4.exec(address)?.[1] ?? address;
  if (isIPv4(plain)) return plain;
  return isIPv6(plain) ? `${groupsOf(plain).slice(0, 4).join(':')}::` : 'unknown';
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [withoutZone = ''] = address.split('%');
  // URL writes every spelling the same way, embedded IPv4 as two groups.
  const [left = '', right] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [left, right ?? ''].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}
