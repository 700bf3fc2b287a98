import { dirname, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { A2A_OPERATION_SCOPES, type A2aAuthOptions, type CardSigningOptions } from '@a2a/auth';
import { type HostConfig } from '../config/host.config.js';
import { toScheme } from './scheme.entries.js';
import { readSecurityFile } from './security.file.js';
import { type SecurityFile, securitySchema } from './security.schema.js';

/** Where clients find the keys that sign this host's cards. */
export const JWKS_PATH = '/.well-known/jwks.json';

type HostFacts = Pick<HostConfig, 'securityFile' | 'host' | 'publicUrl' | 'trustedProxies'>;

/**
 * The security of this host: what the security file says, and what is safe where it says nothing.
 *
 * Callers without credentials own what they made and nothing else. Only where nobody but this machine can call do they share one owner, so
 * that a first try with two commands works.
 *
 * @throws {ConfigError}
 */
export function readIdentityConfig(host: HostFacts): A2aAuthOptions {
  const { securityFile, publicUrl, trustedProxies } = host;
  const file = securityFile === undefined ? securitySchema.parse({}) : readSecurityFile(securityFile);
  const folder = dirname(resolve(securityFile ?? '.'));
  const { schemes, operationScopes, cardSigning, anonymousOwner, ...rest } = file;
  return {
    ...rest,
    schemes: Object.fromEntries(Object.entries(schemes).map(([name, entry]) => [name, toScheme(entry, folder)])),
    operationScopes: operationScopes === 'standard' ? A2A_OPERATION_SCOPES : operationScopes,
    anonymousOwner: anonymousOwner ?? (isForThisMachineOnly(host) && trustedProxies.length === 0 ? 'shared' : 'own'),
    resourceMetadata: { publicUrl },
    cardSigning: cardSigning && toCardSigning(cardSigning, folder, publicUrl),
  };
}

function toCardSigning(entry: NonNullable<SecurityFile['cardSigning']>, folder: string, publicUrl: string): CardSigningOptions {
  const keys = entry.keys.map(({ source, ...key }) => ({
    ...key,
    source: 'file' in source ? { file: resolve(folder, source.file) } : source,
  }));
  return { jku: `${publicUrl}${JWKS_PATH}`, ...entry, keys };
}

/** Listens on a loopback address, and tells clients one: a proxy in front would be told by another public URL. */
function isForThisMachineOnly({ host, publicUrl }: HostFacts): boolean {
  return isLoopback(host) && isLoopback(new URL(publicUrl).hostname.replace(/^\[|\]$/g, ''));
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}
