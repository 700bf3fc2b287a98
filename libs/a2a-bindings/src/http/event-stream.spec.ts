import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { artifact, artifactUpdate, SingleStreamItem, type StreamItem, streamResponse } from '@a2a/a2a-core';
import { DEFAULT_HTTP_LIMITS } from '../a2a-bindings.options.js';
import { EventStream } from './event-stream.js';
import { HttpExchange } from './http-exchange.js';

const KEEP_ALIVE_MS = 1_000;
const COMMENT = ': keep-alive\n\n';
const EVENT = 'data: item\n\n';

/** Gives an item whenever a test says so. */
class Source implements AsyncIterator<StreamItem> {
  #give?: (result: IteratorResult<StreamItem>) => void;

  next(): Promise<IteratorResult<StreamItem>> {
    return new Promise((resolve) => (this.#give = resolve));
  }

  async give(): Promise<void> {
    this.#give?.({ value: item() });
    await jest.advanceTimersByTimeAsync(0);
  }
}

function item(): StreamItem {
  return new SingleStreamItem(streamResponse(artifactUpdate({ taskId: 't', contextId: 'c' }, artifact('piece'))));
}

describe('EventStream', () => {
  let response: ServerResponse;
  let source: Source;
  let stream: EventStream;
  let sent: string[];

  beforeEach(() => {
    jest.useFakeTimers();
    const request = new IncomingMessage(new Socket());
    response = new ServerResponse(request);
    sent = [];
    jest.spyOn(response, 'write').mockImplementation((chunk: unknown) => {
      sent.push(String(chunk));
      return true;
    });
    source = new Source();
    const framing = { item: () => 'item', error: () => 'error' };
    const limits = { ...DEFAULT_HTTP_LIMITS, keepAliveMs: KEEP_ALIVE_MS };
    stream = new EventStream(HttpExchange.of(request, response), source, framing, limits, (error) => {
      throw error;
    });
    void stream.run({ value: item() });
  });
  afterEach(() => {
    stream.end();
    jest.useRealTimers();
  });

  it('sends a comment once it was silent for keepAliveMs, and again after each such time [DLV-13]', async () => {
    await jest.advanceTimersByTimeAsync(KEEP_ALIVE_MS - 1);
    expect(sent).toEqual([EVENT]);
    await jest.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([EVENT, COMMENT]);
    await jest.advanceTimersByTimeAsync(KEEP_ALIVE_MS);
    expect(sent).toEqual([EVENT, COMMENT, COMMENT]);
  });

  it('counts the silence from its last event [DLV-13]', async () => {
    await jest.advanceTimersByTimeAsync(KEEP_ALIVE_MS - 100);
    await source.give();
    await jest.advanceTimersByTimeAsync(KEEP_ALIVE_MS - 1);
    expect(sent).toEqual([EVENT, EVENT]);
    await jest.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([EVENT, EVENT, COMMENT]);
  });

  it('says nothing more when it has ended', async () => {
    stream.end();
    await jest.advanceTimersByTimeAsync(3 * KEEP_ALIVE_MS);
    expect(sent).toEqual([EVENT]);
  });

  it('says nothing while its reader takes nothing: there is no silence to fill', async () => {
    jest.mocked(response.write).mockImplementation((chunk: unknown) => {
      sent.push(String(chunk));
      return false;
    });
    await source.give();
    await jest.advanceTimersByTimeAsync(3 * KEEP_ALIVE_MS);
    expect(sent).toEqual([EVENT, EVENT]);
    response.emit('drain');
    await jest.advanceTimersByTimeAsync(KEEP_ALIVE_MS);
    expect(sent).toEqual([EVENT, EVENT, COMMENT]);
  });
});
