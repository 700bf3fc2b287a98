import ipaddr from 'ipaddr.js';
import { type HostConfig } from '../config/host.config.js';

/** What to tell an operator whose host can be reached from other machines in the clear; undefined when it cannot. */
export function exposureWarning({
  host,
  frontDoor,
  trustedProxies,
}: Pick<HostConfig, 'host' | 'frontDoor' | 'trustedProxies'>): string | undefined {
  if (isLoopback(host) || frontDoor.tls || trustedProxies.length > 0) return undefined;
  return (
    `INSECURE: HOST is ${host}, so other machines can reach this host, and everything they send and receive, credentials included, ` +
    'travels in the clear. Set A2A_TLS_CERT_FILE and A2A_TLS_KEY_FILE, or put a proxy that ends TLS in front and name it in ' +
    'A2A_TRUSTED_PROXIES, or set HOST to 127.0.0.1.'
  );
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}
