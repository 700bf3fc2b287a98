import { type A2aLogger } from '@a2a/a2a-core';

/**
 * Ends the process on an error that nobody caught, as Node does, but tells of it in the log, where credentials are taken out, instead of on
 * standard error. What state such a process is in nobody knows, so it must not go on; the next one ends the tasks it left behind.
 */
export function logCrashes(logger: A2aLogger): void {
  process.on('uncaughtException', (error, origin) => {
    logger.error('The host ends on an error that nobody caught', { origin, error });
    process.exit(1);
  });
}
