import { type Severity } from './log-record.js';

const WORDS: Readonly<Record<string, Severity>> = {
  emerg: 'fatal',
  emergency: 'fatal',
  alert: 'fatal',
  crit: 'fatal',
  critical: 'fatal',
  fatal: 'fatal',
  panic: 'fatal',
  dpanic: 'fatal',
  severe: 'error',
  error: 'error',
  err: 'error',
  warning: 'warning',
  warn: 'warning',
  notice: 'info',
  info: 'info',
  information: 'info',
  log: 'info',
  config: 'info',
  debug: 'debug',
  fine: 'debug',
  trace: 'debug',
  verbose: 'debug',
  silly: 'debug',
};

const RANK: Readonly<Record<Severity, number>> = { fatal: 5, error: 4, warning: 3, info: 2, debug: 1, unknown: 0 };

/** Upper-case level words as loggers print them, for use in patterns. */
export const LEVEL_WORDS =
  'TRACE|DEBUG|VERBOSE|INFO|NOTICE|LOG|WARN|WARNING|ERROR|ERR|SEVERE|CRIT|CRITICAL|ALERT|EMERG|EMERGENCY|FATAL|PANIC';

/** Any spelling of a level; undefined for a word that is none. */
export function severityOfWord(word: string): Severity | undefined {
  return WORDS[word.toLowerCase()];
}

/** RFC 5424 §6.2.1: 0 emergency … 7 debug. */
export function severityOfSyslog(level: number): Severity {
  if (level <= 2) return 'fatal';
  if (level === 3) return 'error';
  if (level === 4) return 'warning';
  return level <= 6 ? 'info' : 'debug';
}

/** The scale of bunyan and pino: 10 trace … 60 fatal. */
export function severityOfTens(level: number): Severity {
  if (level >= 60) return 'fatal';
  if (level >= 50) return 'error';
  if (level >= 40) return 'warning';
  return level >= 30 ? 'info' : 'debug';
}

/** A server error is an error, being refused or limited a warning, any other answer information. */
export function severityOfStatus(status: number): Severity {
  if (status >= 500) return 'error';
  return [401, 403, 408, 429, 499].includes(status) ? 'warning' : 'info';
}

export function worse(one: Severity, other: Severity): Severity {
  return RANK[one] >= RANK[other] ? one : other;
}

export function isError(severity: Severity): boolean {
  return severity === 'error' || severity === 'fatal';
}
