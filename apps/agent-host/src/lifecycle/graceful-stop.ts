import { type INestApplication } from '@nestjs/common';
import { type Server } from 'node:http';
import { A2aLogger } from '@a2a/a2a-core';
import { DrainState } from '../health/drain.state.js';

/** Longest that answers already under way may take to reach slow readers once every turn and stream has ended. */
const FLUSH_MS = 2_000;

const EXIT_CODES = { SIGTERM: 143, SIGINT: 130 } as const;

/**
 * Stops the host on SIGTERM and SIGINT.
 *
 * 1. Readiness answers 503, while HTTP is still served.
 * 2. Nest's destroy hooks run: the core refuses new turns and gives running ones the drain time, the bindings end their streams.
 * 3. The ports close, the store closes, and the process exits with 0. Connections that will not end are cut two seconds after the drain time.
 *
 * A second signal exits at once, with the code a shell expects of that signal.
 */
export function stopGracefully(app: INestApplication<Server>, drainTimeoutMs: number): void {
  const drain = app.get(DrainState);
  const logger = app.get(A2aLogger);

  const stop = async (signal: keyof typeof EXIT_CODES): Promise<void> => {
    if (drain.isDraining) process.exit(EXIT_CODES[signal]);
    drain.begin();
    logger.info('Stopping', { signal });
    setTimeout(() => cut(app, logger), drainTimeoutMs + FLUSH_MS).unref();
    try {
      await app.close();
      logger.info('Stopped');
      process.exit(0);
    } catch (error) {
      logger.error('Could not stop cleanly', { error });
      process.exit(1);
    }
  };

  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
}

function cut(app: INestApplication<Server>, logger: A2aLogger): void {
  logger.warn('Cutting connections that did not end');
  app.getHttpServer().closeAllConnections();
  setTimeout(() => process.exit(0), FLUSH_MS).unref();
}
