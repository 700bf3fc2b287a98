import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { create, type Message } from '@bufbuild/protobuf';
import { type ClientReadableStream, type Metadata, status } from '@grpc/grpc-js';
import {
  artifact,
  artifactUpdate,
  SingleStreamItem,
  type StreamItem,
  type StreamResponse,
  streamResponse,
  type SubscribeToTaskRequest,
  TaskNotFoundError,
  TaskSchema,
} from '@a2a/a2a-core';
import { StreamRegistry } from '@a2a/a2a-bindings';
import { type GrpcHost, startGrpcHost } from './support/grpc.host.js';
import { RawGrpcClient, readAll, toEnding } from './support/grpc.client.js';
import { comesWithin } from '../support/comes-within.js';

const chunk = new SingleStreamItem(streamResponse(artifactUpdate({ taskId: 't-1', contextId: 'c-1' }, artifact('x'.repeat(1_000)))), 1);

const never = new Promise<never>(() => undefined);

/** Items that count how often they were asked for, and tell when their reader left. */
class Feed implements AsyncIterable<StreamItem> {
  pulled = 0;
  /** Settles when the reader has taken the first item and asks for more. */
  readonly waiting: Promise<void>;
  readonly left: Promise<void>;
  #wait: () => void = () => undefined;
  #leave: () => void = () => undefined;

  /** @param length items given without a wait; then the stream stays open */
  constructor(private readonly length: number) {
    this.waiting = new Promise((resolve) => (this.#wait = resolve));
    this.left = new Promise((resolve) => (this.#leave = resolve));
  }

  [Symbol.asyncIterator](): AsyncIterator<StreamItem> {
    return {
      next: async () => {
        if (this.pulled > 0) this.#wait();
        if (this.pulled === this.length) return never;
        this.pulled++;
        return { done: false, value: chunk };
      },
      return: async () => {
        this.#leave();
        return { done: true, value: undefined };
      },
    };
  }
}

describe('Streams over gRPC', () => {
  let host: GrpcHost;
  let client: RawGrpcClient;
  const feeds: AsyncIterable<StreamItem>[] = [];

  beforeEach(async () => {
    host = await startGrpcHost({ options: { shutdownGraceMs: 500 } });
    client = new RawGrpcClient(host.address);
  });
  afterEach(async () => {
    client.close();
    await host.close();
  });

  /** Opens a stream of its own feed, however many are open. */
  function subscribe(feed: AsyncIterable<StreamItem>, extras = {}, by = client): ClientReadableStream<Message> {
    const id = `t-${feeds.push(feed) - 1}`;
    host.requests.scripts.subscribeToTask = (request: SubscribeToTaskRequest) => feeds[Number(request.id.slice(2))];
    return by.stream('SubscribeToTask', { id }, extras);
  }

  it('delivers everything in order to a reader that keeps up', async () => {
    host.requests.scripts.subscribeToTask = async function* () {
      for (let at = 1; at <= 2_000; at++) yield new SingleStreamItem(streamResponse(create(TaskSchema, { id: String(at) })), at);
    };
    const { items, ending } = await readAll(client.stream('SubscribeToTask'));
    expect(ending.code).toBe(status.OK);
    expect(items.map((item) => ((item as StreamResponse).payload.value as { id: string }).id)).toEqual(
      Array.from({ length: 2_000 }, (_, at) => String(at + 1)),
    );
  });

  it('answers a reader that resumes before anything new happens [SUBS-05]', async () => {
    const call = subscribe(new Feed(0), { metadata: { 'last-event-id': '17' } });
    call.on('error', () => undefined);
    const [metadata] = (await once(call, 'metadata')) as [Metadata];
    expect(metadata.get('a2a-extensions')).toEqual([]);
    call.cancel();
  });

  it('pulls 300 000 items no faster than a paused reader takes them [D8]', async () => {
    const feed = new Feed(300_000);
    const call = subscribe(feed);
    const ended = once(call, 'error');
    await pauseAfterFirst(call);
    const before = process.memoryUsage().rss;
    await untilSteady(() => feed.pulled);
    expect(feed.pulled).toBeGreaterThan(0);
    expect(feed.pulled).toBeLessThan(2_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    call.cancel();
    await ended;
    await feed.left;
  });

  it('drops a reader that takes nothing, alone, and tells it when it comes back [D8]', async () => {
    await host.close();
    host = await startGrpcHost({ options: { slowReaderTimeoutMs: 300 } });
    const impatient = new RawGrpcClient(host.address);
    const slow = new Feed(300_000);
    const call = subscribe(slow, {}, impatient);
    await pauseAfterFirst(call);
    const lively = new Feed(1);
    const other = subscribe(lively, {}, impatient);
    await once(other, 'data');
    await slow.left;
    const { ending } = await readAll(call);
    expect(ending).toMatchObject({ code: status.UNAVAILABLE, retryInfo: {} });
    expect(lively.pulled).toBe(1);
    const cancelled = once(other, 'error');
    other.cancel();
    await cancelled;
    await lively.left;
    impatient.close();
  });

  it('stops reading within 100 ms of a cancel, and only that reader [GRPC-07]', async () => {
    const pair = [new Feed(1), new Feed(1)] as const;
    const calls = pair.map((feed) => subscribe(feed).on('error', () => undefined));
    await Promise.all(calls.map((call) => once(call, 'data')));
    const signals = host.requests.received.map(({ call }) => call.signal);
    calls[0]?.cancel();
    expect(await comesWithin(100, pair[0].left)).toBe(true);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    calls[1]?.cancel();
    await pair[1].left;
  });

  it('stops reading within 100 ms of the deadline [GRPC-07]', async () => {
    const feed = new Feed(1);
    const deadline = Date.now() + 1_500;
    const call = subscribe(feed, { deadline });
    await once(call, 'data');
    const failed = once(call, 'error');
    await sleep(deadline - Date.now());
    expect(await comesWithin(100, feed.left)).toBe(true);
    expect(toEnding((await failed)[0]).code).toBe(status.DEADLINE_EXCEEDED);
    expect(host.requests.received[0]?.call.signal.aborted).toBe(true);
  });

  it('aborts the signal of a unary call at its deadline [GRPC-07]', async () => {
    const received = new Promise<AbortSignal>((resolve) => {
      host.requests.scripts.sendMessage = (_, { signal }) => {
        resolve(signal);
        return never;
      };
    });
    const answer = client.unary('SendMessage', {}, { deadline: Date.now() + 1_500 });
    const aborted = once(await received, 'abort');
    expect((await answer).code).toBe(status.DEADLINE_EXCEEDED);
    await aborted;
  });

  it('sends the bytes that an item already has', async () => {
    let encoded = 0;
    const { event, binary, json } = chunk;
    const shared: StreamItem = {
      event,
      json,
      get binary() {
        encoded++;
        return binary;
      },
    };
    const { items } = await readAll(
      subscribe(
        (async function* () {
          yield shared;
        })(),
      ),
    );
    expect(items).toEqual([event]);
    expect(encoded).toBe(1);
  });

  it('refuses a stream when there are too many, before anything starts [D9]', async () => {
    await host.close();
    host = await startGrpcHost({ options: { maxOpenStreams: 2 } });
    const tight = new RawGrpcClient(host.address);
    host.requests.scripts.subscribeToTask = () => new Feed(1);
    const first = tight.stream('SubscribeToTask').on('error', () => undefined);
    const second = tight.stream('SubscribeToTask').on('error', () => undefined);
    await Promise.all([once(first, 'data'), once(second, 'data')]);
    const { ending } = await readAll(tight.stream('SendStreamingMessage'));
    expect(ending).toMatchObject({ code: status.RESOURCE_EXHAUSTED, errorInfo: { reason: 'RATE_LIMITED' } });
    expect(host.requests.received.map(({ handler }) => handler)).toEqual(['subscribeToTask', 'subscribeToTask']);
    tight.close();
  });

  it('fails a stream that has no item yet when the host stops', async () => {
    const begun = new Promise<void>((resolve) => {
      host.requests.scripts.sendStreamingMessage = () => {
        resolve();
        return never;
      };
    });
    const reading = readAll(client.stream('SendStreamingMessage'));
    await begun;
    expect(await comesWithin(1_000, host.close())).toBe(true);
    expect(await reading).toMatchObject({ items: [], ending: { code: status.UNAVAILABLE } });
  });

  it('forgets streams that have ended', async () => {
    host.requests.scripts.subscribeToTask = async function* () {
      yield chunk;
    };
    host.requests.scripts.sendStreamingMessage = () => {
      throw new TaskNotFoundError('t-1');
    };
    await readAll(client.stream('SubscribeToTask'));
    await readAll(client.stream('SendStreamingMessage'));
    const cancelled = subscribe(new Feed(1)).on('error', () => undefined);
    await once(cancelled, 'data');
    cancelled.cancel();
    await (feeds.at(-1) as Feed).left;
    expect(host.app.get(StreamRegistry).size).toBe(0);
  });

  it('does not wait for a reader that takes nothing when the host stops', async () => {
    const call = subscribe(new Feed(300_000)).on('error', () => undefined);
    await pauseAfterFirst(call);
    await untilSteady(() => (feeds.at(-1) as Feed).pulled);
    expect(await comesWithin(1_000, host.close())).toBe(true);
    call.cancel();
  });

  it('ends every stream as UNAVAILABLE when the host stops, in less than a second', async () => {
    const open = Array.from({ length: 20 }, () => new Feed(1));
    const endings = open.map((feed) => readAll(subscribe(feed)));
    await Promise.all(open.map(({ waiting }) => waiting));
    expect(await comesWithin(1_000, host.close())).toBe(true);
    for (const { items, ending } of await Promise.all(endings)) {
      expect(items).toHaveLength(1);
      expect(ending).toMatchObject({ code: status.UNAVAILABLE, retryInfo: {} });
    }
    await Promise.all(open.map(({ left }) => left));
  });
});

/** grpc-js pauses a connection only for a reader that has begun to read. */
async function pauseAfterFirst(call: ClientReadableStream<Message>): Promise<void> {
  await once(call, 'data');
  call.pause();
}

/** Waits until a number that may only grow has not grown for a while: there is no event for nothing happening. */
async function untilSteady(read: () => number): Promise<void> {
  for (let before = -1; before !== read(); await sleep(100)) before = read();
}
