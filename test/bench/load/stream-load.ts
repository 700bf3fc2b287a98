import { Connection, format, type Request } from './http-load.js';

/** Readers of one stream each. */
export class StreamLoad {
  private constructor(
    private readonly port: number,
    private readonly connections: readonly Connection[],
  ) {}

  static async open(port: number, readers: number): Promise<StreamLoad> {
    const connections: Connection[] = [];
    // In groups, so that the queue of the listening socket does not overflow.
    while (connections.length < readers) {
      const group = Math.min(50, readers - connections.length);
      connections.push(...(await Promise.all(Array.from({ length: group }, () => Connection.open(port)))));
    }
    return new StreamLoad(port, connections);
  }

  /** Events that have come, over all readers. */
  get events(): number {
    return this.connections.reduce((sum, { events }) => sum + events, 0);
  }

  /** Opens a stream with every reader. Resolves with the ends of all, once each has its first event. */
  async subscribe(request: Request): Promise<{ readonly ended: Promise<unknown> }> {
    const ends: Promise<unknown>[] = [];
    await Promise.all(
      this.connections.map(
        (connection) =>
          new Promise<void>((resolve, reject) => {
            connection.onFirstEvent = resolve;
            const end = connection.ask(format(request, this.port));
            end.catch(reject);
            ends.push(end);
          }),
      ),
    );
    return { ended: Promise.all(ends) };
  }

  close(): void {
    for (const connection of this.connections) connection.close();
  }
}
