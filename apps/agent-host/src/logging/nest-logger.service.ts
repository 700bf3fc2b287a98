import { type LoggerService } from '@nestjs/common';
import { type A2aLogger } from '@a2a/a2a-core';

/** They tell of every module and route at start: a hundred lines that matter to somebody who looks for one of them. */
const TALKATIVE = new Set(['InstanceLoader', 'RoutesResolver', 'RouterExplorer']);

/** Puts Nest's own lines into the host's log. Nest passes the class that speaks as the last argument, and a stack before it on errors. */
export class NestLoggerService implements LoggerService {
  constructor(private readonly logger: A2aLogger) {}

  log(message: unknown, ...rest: unknown[]): void {
    if (TALKATIVE.has(String(rest.at(-1)))) this.debug(message, ...rest);
    else this.logger.info(textOf(message), factsOf(message, rest));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn(textOf(message), factsOf(message, rest));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error(textOf(message), factsOf(message, rest));
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.error(message, ...rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.debug(textOf(message), factsOf(message, rest));
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.debug(message, ...rest);
  }
}

function textOf(message: unknown): string {
  if (typeof message === 'string') return message;
  return message instanceof Error ? message.message : 'Nest log entry';
}

function factsOf(message: unknown, rest: readonly unknown[]): Record<string, unknown> {
  const source = typeof rest.at(-1) === 'string' ? rest.at(-1) : undefined;
  const details = (source === undefined ? rest : rest.slice(0, -1)).filter((detail) => detail !== undefined);
  return {
    ...(source === undefined ? {} : { source }),
    ...(typeof message === 'string' ? {} : { entry: message }),
    ...(details.length === 0 ? {} : { details }),
  };
}
