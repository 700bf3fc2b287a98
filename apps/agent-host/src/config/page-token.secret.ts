import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type HostConfig } from './host.config.js';

/** Key for page tokens, and what the operator should know of it. */
export interface PageTokenSecret {
  /** Undefined: the core makes one that ends with the process. */
  readonly secret?: string;
  readonly warning?: string;
}

const SQLITE = /^sqlite:(?:\/\/)?(?!:memory:)(.+)$/;

/**
 * The configured key; else, beside a SQLite file, one that is made once and kept, so that page tokens survive a restart.
 *
 * @throws when the key's file cannot be read or written
 */
export function resolvePageTokenSecret(config: Pick<HostConfig, 'secret' | 'databaseUrl'>): PageTokenSecret {
  if (config.secret) return { secret: config.secret };
  const file = SQLITE.exec(config.databaseUrl)?.[1];
  if (file) return { secret: readOrCreate(`${file}.secret`) };
  if (config.databaseUrl.startsWith('postgres')) {
    return {
      warning: 'A2A_SECRET is not set: page tokens end with this process and are refused by other replicas. Set it on every replica.',
    };
  }
  return {};
}

/** Two processes that start together end up with one key: the file appears whole, under its name, or not at all. */
function readOrCreate(path: string): string {
  const existing = readIfPresent(path);
  if (existing) return existing;
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, randomBytes(32).toString('hex'), { mode: 0o600 });
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

function isErrno(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
