import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError, type HostConfig } from './host.config.js';

const SQLITE = /^sqlite:(?:\/\/)?(?!:memory:)(.+)$/;

/**
 * The secret that page tokens, sealed webhook credentials and signatures of webhooks are made with: the configured one; else, beside a
 * SQLite file, one that is made once and kept; else, where nothing outlives the process, a random one.
 *
 * @throws {ConfigError} on PostgreSQL without A2A_SECRET: what one replica seals, another must open
 * @throws when the secret's file cannot be read or written
 */
export function resolveHostSecret({ secret, databaseUrl }: Pick<HostConfig, 'secret' | 'databaseUrl'>): string {
  if (secret) return secret;
  const file = SQLITE.exec(databaseUrl)?.[1];
  if (file) return readOrCreate(`${file}.secret`);
  if (databaseUrl.startsWith('postgres')) {
    throw new ConfigError([
      'A2A_SECRET is not set: with PostgreSQL it must be, because webhook credentials and page tokens depend on it. ' +
        'Set it to the output of `openssl rand -hex 32`, the same on every replica.',
    ]);
  }
  return randomSecret();
}

/** Two processes that start together end up with one secret: the file appears whole, under its name, or not at all. */
function readOrCreate(path: string): string {
  const existing = readIfPresent(path);
  if (existing) return existing;
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, randomSecret(), { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(path, 'utf8').trim();
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function randomSecret(): string {
  return randomBytes(32).toString('hex');
}

function isErrno(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
