import { type DestinationStream, type Logger, pino } from 'pino';
import { A2aLogger } from '@a2a/a2a-core';
import { type HostConfig } from '../config/host.config.js';
import { capText, redactFacts, scrubLine } from './redaction.js';

/**
 * The host's log: one line of JSON an event, on standard output.
 *
 * - No line holds a body or a credential: facts are redacted by name, the finished line by shape.
 * - A caller cannot start a line of its own: everything is escaped by JSON.
 */
export class HostLogger extends A2aLogger {
  readonly #pino: Logger;

  constructor(level: HostConfig['logLevel'], destination?: DestinationStream) {
    super();
    const options = {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
      hooks: { streamWrite: scrubLine },
    };
    this.#pino = pino(options, destination ?? standardOutput());
  }

  debug(message: string, facts?: Record<string, unknown>): void {
    this.#write('debug', message, facts);
  }

  info(message: string, facts?: Record<string, unknown>): void {
    this.#write('info', message, facts);
  }

  warn(message: string, facts?: Record<string, unknown>): void {
    this.#write('warn', message, facts);
  }

  error(message: string, facts?: Record<string, unknown>): void {
    this.#write('error', message, facts);
  }

  #write(level: 'debug' | 'info' | 'warn' | 'error', message: string, facts: Record<string, unknown> = {}): void {
    if (this.#pino.isLevelEnabled(level)) this.#pino[level](redactFacts(facts), capText(message));
  }
}

/**
 * Each line is written before the next thing happens, so that none is left over for the end of the process. What is left over is tried
 * again for ever there when nobody reads it any more, and the host would never end.
 */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: true });
}
