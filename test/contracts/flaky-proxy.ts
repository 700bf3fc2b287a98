import { connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a store and its database, and breaks connections in the ways networks do. */
export class FlakyProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #answersToLose = 0;

  private constructor(private readonly target: URL) {
    this.#server = createServer((client) => this.#accept(client));
  }

  static async start(target: string): Promise<FlakyProxy> {
    const proxy = new FlakyProxy(new URL(target));
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The target's URL, through this proxy. */
  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy does not listen');
    return Object.assign(new URL(this.target.href), { hostname: '127.0.0.1', port: String(address.port) }).href;
  }

  /** The database gets and does what the next `count` statements say; instead of its answer the store sees the connection break. */
  loseAnswers(count: number): void {
    this.#answersToLose = count;
  }

  /** Refuses new connections and cuts the present ones. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #accept(client: Socket): void {
    const database = connect(Number(this.target.port), this.target.hostname);
    for (const socket of [client, database]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    let isStatement = false;
    client.on('data', (bytes) => {
      isStatement = bytes.includes('a2a_commit') || bytes.includes('a2a_save_reply') || bytes.includes('a2a_state_');
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      if (isStatement && this.#answersToLose > 0) {
        this.#answersToLose--;
        client.destroy();
      } else {
        client.write(bytes);
      }
    });
  }
}
