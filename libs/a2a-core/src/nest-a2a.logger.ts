import { Injectable, Logger } from '@nestjs/common';
import { A2aLogger } from './logging.js';

/** Writes to Nest's own logger, for apps that bring none for A2aLogger. */
@Injectable()
export class NestA2aLogger extends A2aLogger {
  readonly #logger = new Logger('A2A');

  debug(message: string, facts?: Record<string, unknown>): void {
    this.#logger.debug(line(message, facts));
  }
  info(message: string, facts?: Record<string, unknown>): void {
    this.#logger.log(line(message, facts));
  }
  warn(message: string, facts?: Record<string, unknown>): void {
    this.#logger.warn(line(message, facts));
  }
  error(message: string, facts?: Record<string, unknown>): void {
    const { error } = facts ?? {};
    this.#logger.error(line(message, facts), error instanceof Error ? error.stack : undefined);
  }
}

function line(message: string, facts: Record<string, unknown> = {}): string {
  const rest = Object.entries(facts).map(([name, value]) => `${name}=${value instanceof Error ? value.message : String(value)}`);
  return [message, ...rest].join(' ');
}
