import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '../config/host.config.js';
import { type SecretSource } from './security.schema.js';

/**
 * A secret from where the file says it is. White space around it does not count, so that a file may end in a line break.
 *
 * @param folder that paths are relative to
 * @throws {ConfigError} naming the place and nothing of what is there
 */
export function readSecret(source: SecretSource, folder: string): string {
  const [place, value] =
    'env' in source
      ? [`the environment variable ${source.env}`, process.env[source.env]]
      : [`the file ${source.file}`, readIfPresent(resolve(folder, source.file))];
  const secret = value?.trim();
  if (!secret) throw new ConfigError([`A secret of the security file is to come from ${place}, which holds nothing. Put it there.`]);
  return secret;
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
