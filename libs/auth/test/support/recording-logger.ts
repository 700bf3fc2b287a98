import { A2aLogger } from '@a2a/a2a-core';

/** Keeps every line as it would be written. */
export class RecordingLogger extends A2aLogger {
  readonly lines: string[] = [];

  debug(message: string, facts?: Record<string, unknown>): void {
    this.write('debug', message, facts);
  }

  info(message: string, facts?: Record<string, unknown>): void {
    this.write('info', message, facts);
  }

  warn(message: string, facts?: Record<string, unknown>): void {
    this.write('warn', message, facts);
  }

  error(message: string, facts?: Record<string, unknown>): void {
    this.write('error', message, facts);
  }

  private write(level: string, message: string, facts: Record<string, unknown> = {}): void {
    this.lines.push(JSON.stringify({ level, message, ...facts }));
  }
}
