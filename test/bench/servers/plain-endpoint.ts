import { type ServerResponse } from 'node:http';
import { answerTo, askIn, chunkEvent, completedEvent, frame, type RpcRequest, taskWithHistory, tick, workingTask } from './stand-ins.js';

const SSE = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };

/** What the raw server and the bare Nest controllers have in common: an answer, or a stream that is written to Node's response. */
export class PlainEndpoint {
  readonly #kept = taskWithHistory(50);
  readonly #readers = new Set<ServerResponse>();
  #fanout = 100;

  answer(request: RpcRequest): object {
    const { id, method, params } = request;
    if (method === 'GetTask') return { jsonrpc: '2.0', id, result: this.#kept };
    const { verb, count } = askIn(params.message?.parts[0]?.text ?? '');
    if (verb === 'fanout') this.#fanout = count;
    return answerTo(request);
  }

  /** `response` becomes a stream, which ends it. */
  stream({ id, method, params }: RpcRequest, response: ServerResponse): void {
    if (method === 'SubscribeToTask') this.#subscribe(id, response);
    else void this.#stream(id, askIn(params.message?.parts[0]?.text ?? '').count, response);
  }

  /** Sends the announced events to everybody who has subscribed, each encoded once. */
  async fanOut(): Promise<void> {
    for (let index = 0; index < this.#fanout; index++) {
      this.#broadcast(Buffer.from(frame(1, chunkEvent(index > 0))));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    this.#broadcast(Buffer.from(frame(1, completedEvent())));
    for (const reader of this.#readers) reader.end();
    this.#readers.clear();
  }

  #broadcast(bytes: Buffer): void {
    for (const reader of this.#readers) reader.write(bytes);
  }

  #subscribe(id: string | number, response: ServerResponse): void {
    response.writeHead(200, SSE).write(frame(id, workingTask()));
    this.#readers.add(response);
    response.once('close', () => this.#readers.delete(response));
  }

  async #stream(id: string | number, count: number, response: ServerResponse): Promise<void> {
    response.writeHead(200, SSE).write(frame(id, workingTask()));
    for (let index = 0; index < count; index++) {
      await tick();
      response.write(frame(id, chunkEvent(index > 0)));
    }
    response.end(frame(id, completedEvent()));
  }
}
