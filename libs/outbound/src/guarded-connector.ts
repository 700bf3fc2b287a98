import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { type AddressPolicy } from './address.policy.js';

/** A connection that would have led where this host must not go. */
export class BlockedTarget extends Error {
  constructor() {
    super('The target address is not allowed');
    this.name = 'BlockedTarget';
  }
}

/** Resolves names; a parameter so that tests can play the DNS. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Asks the machine, with its hosts file and in its order. */
export const systemResolve: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true, verbatim: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

/**
 * Connects only to addresses that the policy allows, whatever a name resolves to at this moment.
 *
 * - One bad address among several poisons the name.
 * - The address that is judged is the address that is connected to, so DNS rebinding has no gap to use.
 * - The peer of the finished connection is judged once more.
 */
export function guardedConnector(policy: AddressPolicy, resolve: Resolve, options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector({ ...options, lookup: guardedLookup(policy, resolve) });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) > 0 && !policy.isAllowed(host)) return callback(new BlockedTarget(), null);
    connect(target, (...result) => {
      const [error, socket] = result;
      if (error) return callback(error, null);
      if (socket.remoteAddress && policy.isAllowed(socket.remoteAddress)) return callback(null, socket);
      socket.destroy();
      callback(new BlockedTarget(), null);
    });
  };
}

function guardedLookup(policy: AddressPolicy, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname)
      .then((addresses) => {
        const [first] = addresses;
        if (!first || addresses.some(({ address }) => !policy.isAllowed(address))) throw new BlockedTarget();
        if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      })
      .catch((error: NodeJS.ErrnoException) => callback(error, '', 0));
  };
}
