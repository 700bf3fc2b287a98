import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Answers, type Ports } from '../servers/answer-parent.js';

/** One of the servers that are compared. */
export interface ContenderSpec {
  /** As the table calls it. */
  readonly name: string;
  /** File in `servers/`, without `.server.js`. */
  readonly server: string;
  readonly options?: object;
  /** Where streaming calls go. Default `/rpc`. */
  readonly streamPath?: string;
  readonly nodeFlags?: readonly string[];
  /** CPU that is spent for this server outside its process, such as by its database. Microseconds so far. */
  readonly otherCpu?: () => number;
}

/** A server in a process of its own, with what the bench asks it. */
export class Contender {
  readonly #answers = new Map<number, (answer: unknown) => void>();
  #asked = 0;

  private constructor(
    readonly spec: ContenderSpec,
    private readonly child: ChildProcess,
    readonly ports: Ports,
  ) {
    child.on('message', ({ id, answer }: { id: number; answer: unknown }) => this.#answers.get(id)?.(answer));
  }

  static async start(spec: ContenderSpec): Promise<Contender> {
    const file = fileURLToPath(new URL(`../servers/${spec.server}.server.js`, import.meta.url));
    const child = fork(file, [JSON.stringify(spec.options ?? {})], { execArgv: ['--expose-gc', ...(spec.nodeFlags ?? [])] });
    const ports = await new Promise<Ports>((resolve, reject) => {
      child.once('message', (message: { ports: Ports }) => resolve(message.ports));
      child.once('exit', (code) => reject(new Error(`${spec.name} ended with ${code} before it was ready`)));
    });
    return new Contender(spec, child, ports);
  }

  get name(): string {
    return this.spec.name;
  }

  get streamPath(): string {
    return this.spec.streamPath ?? '/rpc';
  }

  /** User and system time spent for this server so far. Microseconds. */
  async cpu(): Promise<number> {
    return (await this.ask('cpu')) + (this.spec.otherCpu?.() ?? 0);
  }

  ask<Name extends keyof Answers>(ask: Name): Promise<Awaited<ReturnType<Answers[Name]>>> {
    const id = ++this.#asked;
    this.child.send({ id, ask });
    return new Promise((resolve) => this.#answers.set(id, resolve as (answer: unknown) => void));
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }
}
