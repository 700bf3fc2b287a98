import { userInfo } from 'node:os';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './usage.error.js';

/**
 * What a command was given.
 *
 * @param usage all that there is, for who gave something else
 * @throws {UsageError}
 */
export function readArguments<const C extends ParseArgsConfig>(config: C, usage: string): ReturnType<typeof parseArgs<C>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The arguments cannot be read', usage);
  }
}

/** Who works on this machine, for the audit trail: the user's name, or its number where it has none, as in many containers. */
export function userOfMachine(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
