import { types } from 'node:util';
import { ConfigError, type HostConfig } from '../config/host.config.js';
import { scrubLine } from '../logging/redaction.js';

/** What Node and the drivers put into errors beside the text. */
interface Failure extends Error {
  readonly code?: string;
  readonly port?: number;
  /** Of an AggregateError: one for each address that was tried. */
  readonly errors?: readonly Failure[];
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']);
const LOGIN_REFUSED = new Set(['28P01', '28000']);
const NO_SUCH_DATABASE = '3D000';
const NO_ROOM_FOR_FILE = /^(SQLITE_.*|EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EISDIR)$/;

/**
 * Why the host does not start, for a person who reads it in a terminal: what happened and what to do next, without a stack and without a
 * credential.
 */
export function explainStartFailure(error: unknown, config?: HostConfig, verb = 'The host cannot start'): string {
  if (error instanceof ConfigError) {
    const count = error.problems.length;
    const head = `${verb}: ${count === 1 ? 'one setting is' : `${count} settings are`} wrong.`;
    return [head, ...error.problems.map((problem) => `  ${problem}`), 'All settings: docs/configuration.md'].join('\n');
  }
  const failure: Failure = error instanceof Error || types.isNativeError(error) ? error : new Error(String(error));
  const known = config && (explainPort(failure, config) ?? explainDatabase(failure, config) ?? explainAgent(failure));
  return scrubLine(`${verb}: ${known ?? failure.message}`);
}

function explainPort({ code, port, message }: Failure, config: HostConfig): string | undefined {
  if (code === 'EADDRNOTAVAIL')
    return `${config.host} is not an address of this machine. Set HOST to one that is, such as 127.0.0.1 or 0.0.0.0.`;
  if (code === 'EACCES' && port !== undefined) return `this user may not listen on port ${port}. Use a port above 1023.`;
  // gRPC wraps what the system said and drops the code.
  if (code !== 'EADDRINUSE' && !/EADDRINUSE|No address added out of total/.test(message)) return undefined;
  const setting = port === config.port ? 'PORT' : 'GRPC_PORT';
  return `port ${port ?? config.grpcPort} is in use. Stop the process that has it, or set ${setting} to a free one.`;
}

function explainDatabase(failure: Failure, { databaseUrl }: HostConfig): string | undefined {
  const code = failure.code ?? failure.errors?.[0]?.code;
  if (/better-sqlite3|better_sqlite3|bindings file/.test(failure.message)) {
    return 'the SQLite driver was built for another Node, or not at all. Run: npm rebuild better-sqlite3';
  }
  if (code === undefined) return undefined;
  if (databaseUrl.startsWith('sqlite:') && NO_ROOM_FOR_FILE.test(code)) {
    return `${databaseUrl} cannot be used (${failure.message}). Correct DATABASE_URL, or let this user write there.`;
  }
  if (!databaseUrl.startsWith('postgres')) return undefined;
  const { host, pathname } = new URL(databaseUrl);
  if (UNREACHABLE.has(code)) return `the database at ${host} cannot be reached (${code}). Start it, or correct DATABASE_URL.`;
  if (LOGIN_REFUSED.has(code)) return `the database at ${host} refuses the user or the password. Correct DATABASE_URL.`;
  if (code === NO_SUCH_DATABASE) return `there is no database ${pathname.slice(1)} at ${host}. Create it, or correct DATABASE_URL.`;
  return undefined;
}

function explainAgent({ message }: Failure): string | undefined {
  return message.startsWith('defaultAgent ') ? `${message}. Set A2A_DEFAULT_AGENT to one of them.` : undefined;
}
