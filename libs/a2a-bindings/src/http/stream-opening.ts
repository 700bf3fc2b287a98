import { type Answer, type StreamItem, UnavailableError } from '@a2a/a2a-core';
import { type HttpExchange } from './http-exchange.js';

/** A stream that can be answered. */
export interface OpenedStream {
  readonly activatedExtensions: readonly string[];
  readonly source: AsyncIterator<StreamItem>;
  /** Undefined when the reader resumes: it has seen all there is, perhaps, and the next item may be hours away. */
  readonly first?: IteratorResult<StreamItem>;
}

/** The time until a stream can be answered, which may be long; a host that stops does not wait for it. */
export class StreamOpening {
  readonly opened: Promise<OpenedStream>;
  #stopped = false;
  #refuse!: (error: Error) => void;

  constructor(
    private readonly exchange: HttpExchange,
    private readonly resumes: boolean,
    start: () => Promise<Answer<AsyncIterable<StreamItem>>>,
  ) {
    this.opened = new Promise((resolve, reject) => {
      this.#refuse = reject;
      this.#open(start).then(resolve, reject);
    });
  }

  /** Gives up: `opened` rejects, and a source that comes all the same is told at once. */
  stop(): void {
    this.#stopped = true;
    this.#refuse(new UnavailableError('This host is stopping'));
    this.exchange.abort();
  }

  async #open(start: () => Promise<Answer<AsyncIterable<StreamItem>>>): Promise<OpenedStream> {
    const { response, activatedExtensions } = await start();
    const source = response[Symbol.asyncIterator]();
    if (this.#stopped) await source.return?.();
    return { activatedExtensions, source, first: this.resumes ? undefined : await source.next() };
  }
}
