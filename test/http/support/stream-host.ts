import { type IncomingMessage } from 'node:http';
import { type Answer, type IncomingCall, type StreamItem } from '@a2a/a2a-core';
import { open } from './http-client.js';
import { type Adapter, WireHost, type WireHostOptions } from './wire-host.js';

/** SubscribeToTask over JSON-RPC, with an id that a double cannot hold. */
export const SUBSCRIBE = '{"jsonrpc":"2.0","id":9007199254740993,"method":"SubscribeToTask","params":{"id":"t"}}';

/** What answers SubscribeToTask. */
type Subscription = (request: unknown, call: IncomingCall) => Promise<Answer<AsyncIterable<StreamItem>>>;

/** A host whose streams a spec writes. It is stopped after each test. */
export interface StreamHost {
  /** The host that was served last. */
  readonly host: () => WireHost;
  readonly serve: (subscribeToTask: Subscription, options?: WireHostOptions) => Promise<void>;
  /** Every stream is `source`, with the extension `urn:x` activated. */
  readonly serveItems: (source: AsyncIterable<StreamItem>, options?: WireHostOptions) => Promise<void>;
  /** Opens a stream over HTTP+JSON. */
  readonly subscribe: (headers?: Record<string, string>) => Promise<IncomingMessage>;
  /** Opens a stream over JSON-RPC. */
  readonly subscribeRpc: (headers?: Record<string, string>) => Promise<IncomingMessage>;
}

/** To be called in a `describe`. */
export function useStreamHost(adapter: Adapter): StreamHost {
  let host: WireHost;
  afterEach(() => host.stop());

  const serve: StreamHost['serve'] = async (subscribeToTask, options = {}) => {
    host = await WireHost.start(adapter, { handler: { subscribeToTask }, ...options });
  };
  return {
    host: () => host,
    serve,
    serveItems: (source, options) => serve(async () => ({ response: source, activatedExtensions: ['urn:x'] }), options),
    subscribe: (headers) => open(host.port, { path: '/tasks/t:subscribe', headers }),
    subscribeRpc: (headers) =>
      open(host.port, { method: 'POST', path: '/rpc', headers: { 'content-type': 'application/json', ...headers } }, SUBSCRIBE),
  };
}
