import { type AddressInfo, connect, type Socket } from 'node:net';
import { type Response, ResponseReader } from './response.reader.js';

/** What a client sends again and again. `body` is called for each call, since ids must not repeat. */
export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: () => string;
}

/**
 * Connections that are kept open and ask one thing after the other.
 *
 * Written on bare sockets, because an HTTP client costs more than the servers that are measured, on a machine that both share.
 */
export class HttpLoad {
  readonly #idle: Connection[] = [];

  private constructor(
    private readonly port: number,
    private readonly connections: readonly Connection[],
  ) {
    this.#idle.push(...connections);
  }

  static async open(port: number, connections: number): Promise<HttpLoad> {
    return new HttpLoad(port, await Promise.all(Array.from({ length: connections }, () => Connection.open(port))));
  }

  /**
   * Asks `count` times, over all connections at once.
   *
   * @returns the last answer
   * @throws {Error} when an answer is not a 2xx or 3xx, or holds an error of JSON-RPC
   */
  async run(request: Request, count: number): Promise<Response> {
    let left = count;
    let last: Response | undefined;
    const work = async (connection: Connection): Promise<void> => {
      while (left-- > 0) last = checked(await connection.ask(format(request, this.port)));
    };
    await Promise.all(this.connections.map(work));
    if (!last) throw new Error('Nothing was asked');
    return last;
  }

  close(): void {
    for (const connection of this.connections) connection.close();
  }
}

const CLOSED = new Error('The server closed the connection');

/** One socket; asks one thing at a time. */
export class Connection {
  #reader = new ResponseReader();
  #closed = false;
  #settle?: { resolve(response: Response): void; reject(error: Error): void };
  /** Called when the first event of a stream is here. */
  onFirstEvent?: () => void;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('close', () => {
      this.#closed = true;
      this.#settle?.reject(CLOSED);
    });
    socket.on('error', () => undefined);
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('connect', () => resolve(new Connection(socket))).once('error', reject);
    });
  }

  get localPort(): number {
    return (this.socket.address() as AddressInfo).port;
  }

  /** Events of the stream that this connection reads. */
  get events(): number {
    return this.#reader.events;
  }

  /** @throws {Error} when the server has closed the connection */
  async ask(bytes: string): Promise<Response> {
    if (this.#closed) throw CLOSED;
    this.#reader = new ResponseReader();
    this.socket.write(bytes);
    return new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
  }

  close(): void {
    this.#settle = undefined;
    this.socket.destroy();
  }

  #take(chunk: Buffer): void {
    const before = this.#reader.events;
    const response = this.#reader.take(chunk);
    if (before === 0 && this.#reader.events > 0) this.onFirstEvent?.();
    if (response) this.#settle?.resolve(response);
  }
}

/** The bytes of a request. */
export function format({ method, path, headers = {}, body }: Request, port: number): string {
  const text = body?.() ?? '';
  const all = { host: `127.0.0.1:${port}`, 'a2a-version': '1.0', 'content-type': 'application/json', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

function checked(response: Response): Response {
  if (response.status >= 400 || response.body.includes('"error":{')) {
    throw new Error(`The server answered ${response.status}: ${response.body.slice(0, 500)}`);
  }
  return response;
}
