import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { freePorts } from './free-ports.js';

/** What `npm run build` makes. */
export const BUILT_MAIN = join(process.cwd(), 'dist/apps/agent-host/apps/agent-host/src/main.js');

/** Longest a host may take to start, on however slow a machine: one that hangs is ended before its test is. */
const START_TIMEOUT_MS = 200_000;

export interface HostOptions {
  /** Settings of the host. Ports are chosen, the store is memory, and nothing of this process's environment is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory. Default: the repository. */
  readonly cwd?: string;
}

/** How a process ended: one of the two is set. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The built host as a process of its own. */
export interface Host {
  /** Such as `http://127.0.0.1:40123`. */
  readonly httpUrl: string;
  /** Such as `127.0.0.1:40124`. */
  readonly grpcUrl: string;
  readonly pid: number;
  /** Lines on standard output and standard error so far. */
  readonly logs: readonly string[];
  readonly exited: Promise<Exit>;
  /** Resolves with the first line, past or future, that holds each of `texts`; rejects when the host ends without one. */
  logged(...texts: string[]): Promise<string>;
  /** Sends a signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<Exit>;
  /** As an orchestrator stops it: SIGTERM. Does nothing to a host that has ended. */
  stop(): Promise<Exit>;
}

/** The host ended while somebody waited for a line of its log. */
export class HostEnded extends Error {
  constructor(
    readonly exit: Exit,
    readonly logs: readonly string[],
  ) {
    super(`The host ended with ${exit.code ?? exit.signal}. Its log:\n${logs.join('\n')}`);
    this.name = 'HostEnded';
  }
}

const running = new Set<ChildProcessByStdio<null, Readable, Readable>>();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/**
 * Starts the built host and waits until it is ready.
 *
 * @throws {HostEnded} when it ends first
 */
export async function startHost({ env = {}, cwd = process.cwd() }: HostOptions = {}): Promise<Host> {
  if (!existsSync(BUILT_MAIN)) throw new Error('There is no built host. Run: npm run build');
  const [port, grpcPort] = await freePorts(2);
  const settings = { PORT: String(port), GRPC_PORT: String(grpcPort), DATABASE_URL: 'memory:', ...env };
  const child = spawn(process.execPath, [BUILT_MAIN], {
    cwd,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const host = new HostProcess(child, `http://127.0.0.1:${settings.PORT}`, `127.0.0.1:${settings.GRPC_PORT}`);
  await host.ready();
  return host;
}

class HostProcess implements Host {
  readonly logs: string[] = [];
  readonly exited: Promise<Exit>;
  readonly #listeners = new Set<(line: string) => void>();

  constructor(
    private readonly child: ChildProcessByStdio<null, Readable, Readable>,
    readonly httpUrl: string,
    readonly grpcUrl: string,
  ) {
    running.add(child);
    this.exited = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        running.delete(child);
        resolve({ code, signal });
      });
    });
    for (const stream of [child.stdout, child.stderr]) this.#collect(stream);
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  async ready(): Promise<void> {
    const tooSlow = setTimeout(() => this.child.kill('SIGKILL'), START_TIMEOUT_MS);
    await this.logged('"msg":"Ready"').finally(() => clearTimeout(tooSlow));
  }

  async logged(...texts: string[]): Promise<string> {
    const matches = (line: string): boolean => texts.every((text) => line.includes(text));
    const past = this.logs.find(matches);
    if (past !== undefined) return past;
    let listener: (line: string) => void = () => {};
    const found = new Promise<string>((resolve) => {
      listener = (line) => matches(line) && resolve(line);
      this.#listeners.add(listener);
    });
    const ended = this.exited.then((exit) => {
      throw new HostEnded(exit, this.logs);
    });
    return Promise.race([found, ended]).finally(() => this.#listeners.delete(listener));
  }

  kill(signal: NodeJS.Signals): Promise<Exit> {
    this.child.kill(signal);
    return this.exited;
  }

  stop(): Promise<Exit> {
    return this.kill('SIGTERM');
  }

  #collect(stream: Readable): void {
    let rest = '';
    const take = (line: string): void => {
      this.logs.push(line);
      for (const listener of this.#listeners) listener(line);
    };
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(take);
    });
    stream.on('end', () => rest && take(rest));
  }
}
