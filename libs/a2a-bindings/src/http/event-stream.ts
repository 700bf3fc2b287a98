import { type A2aError, leave, type StreamItem } from '@a2a/a2a-core';
import { type HttpLimits } from '../a2a-bindings.options.js';
import { type HttpExchange } from './http-exchange.js';

/** How a wire writes an item, and the error that ends a stream. Each is the text of one `data:` line. */
export interface EventFraming {
  item(item: StreamItem): string;
  error(error: A2aError): string;
}

const KEEP_ALIVE = ': keep-alive\n\n';

/**
 * One open event stream.
 *
 * - The next item is asked for only when the socket has taken the last one, so a slow reader costs one item and its own time.
 * - A comment is sent whenever nothing was for `keepAliveMs`, so that proxies keep the connection and dead ones are found.
 * - A reader that takes nothing for `stalledReaderMs` is dropped; no other stream notices.
 * - However it ends, the source is told at once: its iterator returns and the call's signal aborts.
 */
export class EventStream {
  #over = false;
  #drained?: () => void;
  #keepAlive?: NodeJS.Timeout;
  #lifetime?: NodeJS.Timeout;

  constructor(
    private readonly exchange: HttpExchange,
    private readonly source: AsyncIterator<StreamItem>,
    private readonly framing: EventFraming,
    private readonly limits: HttpLimits,
    private readonly publish: (error: unknown) => A2aError,
  ) {}

  /**
   * Sends items until the source or the stream ends. Headers must have been written.
   *
   * @param first what the source gave already, if anything
   * @returns resolves when the response is closed
   */
  run(first?: IteratorResult<StreamItem>): Promise<void> {
    const { response } = this.exchange;
    this.#keepAlive = setTimeout(() => this.#keepOpen(), this.limits.keepAliveMs);
    this.#lifetime = setTimeout(() => this.end(), this.limits.streamAgeMs);
    response.on('drain', () => this.#drained?.());
    return new Promise((resolve) => {
      response.once('close', () => {
        this.#stop();
        resolve();
      });
      void this.#pump(first);
    });
  }

  /** Ends the stream between two events, and its connection: a host that stops waits for no keep-alive. The reader may subscribe again. */
  end(): void {
    if (this.#over) return;
    this.#stop();
    const { request, response } = this.exchange;
    response.end(() => request.socket.destroySoon());
  }

  async #pump(first: IteratorResult<StreamItem> | undefined): Promise<void> {
    try {
      for (let step = first ?? (await this.source.next()); !step.done && !this.#over; step = await this.source.next()) {
        if (!this.#write(formatEvent(step.value, this.framing))) await this.#drain();
      }
      this.#finish();
    } catch (error) {
      if (!this.#over) this.#finish(`data: ${this.framing.error(this.publish(error))}\n\n`);
    }
  }

  #write(text: string): boolean {
    this.#keepAlive?.refresh();
    return this.exchange.response.write(text);
  }

  #drain(): Promise<void> {
    return new Promise((resolve) => {
      const stalled = setTimeout(() => this.exchange.response.destroy(), this.limits.stalledReaderMs);
      this.#drained = () => {
        this.#drained = undefined;
        clearTimeout(stalled);
        resolve();
      };
      if (this.#over) this.#drained();
    });
  }

  #keepOpen(): void {
    if (!this.#drained) this.exchange.response.write(KEEP_ALIVE);
    this.#keepAlive?.refresh();
  }

  #finish(lastFrame?: string): void {
    if (this.#over) return;
    this.#stop();
    this.exchange.response.end(lastFrame);
  }

  #stop(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#keepAlive);
    clearTimeout(this.#lifetime);
    this.#drained?.();
    this.exchange.abort();
    leave(this.source);
  }
}

function formatEvent(item: StreamItem, framing: EventFraming): string {
  const data = `data: ${framing.item(item)}\n\n`;
  return item.version === undefined ? data : `id: ${item.version}\n${data}`;
}
