import { isIP } from 'node:net';
import { type OutboundTargets } from '@a2a/a2a-core';
import { AddressPolicy } from './address.policy.js';

const MAX_LENGTH = 2_048;
const DEFAULT_PORTS: readonly number[] = [443, 8443];
const BAD_ADDRESS = 'target address not allowed';
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|svc|arpa|onion|test|invalid)$/i;

/**
 * Judges URLs and addresses before anything is sent (A2A §13.2).
 *
 * Names are judged by their form only; what they resolve to is judged when the connection is made, every time.
 */
export class TargetPolicy {
  readonly addresses: AddressPolicy;

  constructor(private readonly options: OutboundTargets = {}) {
    this.addresses = new AddressPolicy(options.openNetworks);
  }

  /** Somebody opened more than the public internet. */
  get isLoosened(): boolean {
    return Boolean(this.options.allowHttp || this.options.openNetworks?.length || this.options.openNames?.length);
  }

  /** @returns what is wrong with the target, in words for its owner; undefined when nothing is */
  refusal(url: string): string | undefined {
    if (url.length > MAX_LENGTH) return `longer than ${MAX_LENGTH} characters`;
    if (!/^[!-[\]-~]+$/.test(url)) return 'holds white space, backslashes, control or non-ASCII characters';
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (!parsed) return 'not an absolute URL';
    return this.#refuseParts(parsed) ?? this.#refuseHost(parsed.hostname);
  }

  /** @returns what is wrong with a target of these addresses; one that is not allowed is enough */
  refusalOf(addresses: readonly string[]): string | undefined {
    return addresses.every((address) => this.addresses.isAllowed(address)) ? undefined : BAD_ADDRESS;
  }

  #refuseParts({ protocol, username, password, hash, port }: URL): string | undefined {
    const { allowHttp = false, ports = DEFAULT_PORTS } = this.options;
    if (protocol !== 'https:' && !(allowHttp && protocol === 'http:'))
      return `only ${allowHttp ? 'https and http are' : 'https is'} allowed`;
    if (username || password) return 'holds credentials';
    if (hash) return 'holds a fragment';
    const number = Number(port || (protocol === 'https:' ? 443 : 80));
    const isOpen = ports === '*' || ports.includes(number) || (allowHttp && number === 80);
    return isOpen ? undefined : `port ${number} is not allowed`;
  }

  #refuseHost(hostname: string): string | undefined {
    const host = hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) > 0) return this.refusalOf([host]);
    const isOpenLoopback = host === 'localhost' && this.addresses.isAllowed('127.0.0.1');
    if (isOpenLoopback || this.options.openNames?.includes(host)) return undefined;
    if (host.endsWith('.') || !host.includes('.') || LOCAL_NAMES.test(host)) return 'target name not allowed';
    return undefined;
  }
}
