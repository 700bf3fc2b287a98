import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContenderSpec } from '../measure/contender.js';

export const RAW: ContenderSpec = { name: 'node:http', server: 'raw', streamPath: '/rpc/stream' };
export const NEST_EXPRESS: ContenderSpec = {
  name: 'bare Nest, Express',
  server: 'nest',
  options: { adapter: 'express' },
  streamPath: '/rpc/stream',
};
export const NEST_FASTIFY: ContenderSpec = {
  name: 'bare Nest, Fastify',
  server: 'nest',
  options: { adapter: 'fastify' },
  streamPath: '/rpc/stream',
};
export const SDK: ContenderSpec = { name: 'SDK', server: 'sdk' };
export const OURS_EXPRESS: ContenderSpec = { name: 'ours, Express', server: 'ours', options: { adapter: 'express' } };
export const OURS_FASTIFY: ContenderSpec = { name: 'ours, Fastify', server: 'ours', options: { adapter: 'fastify' } };

export const HTTP_PEERS = [RAW, NEST_EXPRESS, NEST_FASTIFY, SDK] as const;

/** Gives `body` a directory for databases, and removes it. */
export async function withDirectory<T>(body: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'a2a-bench-'));
  try {
    return await body(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
