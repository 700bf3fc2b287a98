import { types } from 'node:util';
import { ConfigError, type HostConfig } from '../config/host.config.js';
import { scrubLine } from '../logging/redaction.js';

/** One kind of failure that an operator can do something about. */
interface KnownFailure {
  matches(error: Error & { readonly code?: unknown }): boolean;
  /** What happened and the next step. */
  say(error: Error & { readonly port?: unknown; readonly address?: unknown }, config: HostConfig): string;
}

const KNOWN: readonly KnownFailure[] = [
  {
    matches: (error) => error.code === 'EADDRINUSE' && 'port' in error,
    say: ({ port }, config) =>
      `port ${String(port)} is in use. Stop the process that has it, or set ${port === config.grpcPort ? 'GRPC_PORT' : 'PORT'} to a free one.`,
  },
  {
    matches: (error) => /EADDRINUSE|No address added out of total/.test(error.message),
    say: (_, config) => `port ${config.grpcPort} is in use. Stop the process that has it, or set GRPC_PORT to a free one.`,
  },
  {
    matches: (error) => error.code === 'EADDRNOTAVAIL',
    say: (_, config) => `${config.host} is not an address of this machine. Set HOST to one that is, such as 127.0.0.1 or 0.0.0.0.`,
  },
  {
    matches: (error) => error.code === 'EACCES' && 'port' in error,
    say: ({ port }) => `this user may not listen on port ${String(port)}. Use a port above 1023.`,
  },
];

/**
 * Why the host does not start, for a person who reads it in a terminal: what happened and what to do next, without a stack and without a
 * secret.
 */
export function explainStartFailure(error: unknown, config?: HostConfig): string {
  if (error instanceof ConfigError) {
    const count = error.problems.length;
    return [
      `The host cannot start: ${count === 1 ? 'one setting is' : `${count} settings are`} wrong.`,
      ...error.problems.map((problem) => `  ${problem}`),
      'All settings: docs/configuration.md',
    ].join('\n');
  }
  const problem = types.isNativeError(error) ? error : new Error(String(error));
  const known = config && KNOWN.find((failure) => failure.matches(problem));
  return scrubLine(`The host cannot start: ${known ? known.say(problem, config) : problem.message}`);
}
