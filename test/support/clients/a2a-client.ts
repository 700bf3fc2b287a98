import { type JsonObject } from '@bufbuild/protobuf';
import { type OperationName } from '@a2a/a2a-core';
import { type SendResultJson, type StreamItemJson, type TaskJson, type TaskPageJson } from './wire-json.js';

export type StreamingName = 'SendStreamingMessage' | 'SubscribeToTask';
export type UnaryName = Exclude<OperationName, StreamingName>;

/** Headers or metadata of one call. A value of null takes a default away, such as `A2A-Version: 1.0`. */
export interface CallOptions {
  readonly headers?: Readonly<Record<string, string | null>>;
}

export interface Reply {
  readonly body: JsonObject;
  /** Response headers or initial metadata; names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

export interface StreamEvent {
  readonly item: StreamItemJson;
  /** The `id:` of the SSE frame. */
  readonly id?: string;
}

/** An open stream. Ending the iteration, or `close`, hangs up. */
export interface EventStream extends AsyncIterable<StreamEvent> {
  readonly headers: ReadonlyMap<string, string>;
  /** Undefined when the server has ended the stream. */
  next(): Promise<StreamEvent | undefined>;
  /** All items until the server ends the stream. */
  rest(): Promise<StreamItemJson[]>;
  close(): void;
}

/** An error as it came over the wire. */
export class WireError extends Error {
  constructor(
    /** JSON-RPC code, HTTP status or gRPC status number. */
    readonly code: number,
    message: string,
    /** google.rpc details, each with `@type`. */
    readonly details: readonly JsonObject[],
    /** The HTTP status, where there is one. */
    readonly httpStatus?: number,
  ) {
    super(message);
    this.name = 'WireError';
  }

  /** ErrorInfo.reason. */
  get reason(): unknown {
    return this.detail('ErrorInfo')?.reason;
  }

  /** Fields of BadRequest, in order. */
  get fields(): unknown[] {
    const violations = this.detail('BadRequest')?.fieldViolations;
    return Array.isArray(violations) ? violations.map((violation) => (violation as JsonObject).field) : [];
  }

  detail(type: 'ErrorInfo' | 'BadRequest' | 'RetryInfo'): JsonObject | undefined {
    return this.details.find((detail) => detail['@type'] === `type.googleapis.com/google.rpc.${type}`);
  }
}

/**
 * A small client of our own, the same for each wire: requests and responses in their JSON form, errors as they came.
 *
 * It validates nothing, so that a test can send what a real client never would.
 */
export abstract class A2aClient {
  abstract readonly wire: 'JSONRPC' | 'HTTP+JSON' | 'GRPC';

  /** @param tenant what the chosen interface of the card wants in each request (A2A §8.3.2) */
  constructor(readonly tenant?: string) {}

  /** @throws {WireError} */
  abstract call(operation: UnaryName, request: JsonObject, options?: CallOptions): Promise<Reply>;

  /**
   * Resolves with the first item already here, so an error before it is a rejection on every wire.
   *
   * @throws {WireError}
   */
  abstract open(operation: StreamingName, request: JsonObject, options?: CallOptions): Promise<EventStream>;

  abstract close(): void;

  protected addressed(request: JsonObject): JsonObject {
    return this.tenant ? { tenant: this.tenant, ...request } : request;
  }

  async send(request: JsonObject, options?: CallOptions): Promise<SendResultJson> {
    return (await this.call('SendMessage', request, options)).body as SendResultJson;
  }

  stream(request: JsonObject, options?: CallOptions): Promise<EventStream> {
    return this.open('SendStreamingMessage', request, options);
  }

  async getTask(request: JsonObject, options?: CallOptions): Promise<TaskJson> {
    return (await this.call('GetTask', request, options)).body as unknown as TaskJson;
  }

  async listTasks(request: JsonObject = {}, options?: CallOptions): Promise<TaskPageJson> {
    return (await this.call('ListTasks', request, options)).body as unknown as TaskPageJson;
  }

  async cancelTask(request: JsonObject, options?: CallOptions): Promise<TaskJson> {
    return (await this.call('CancelTask', request, options)).body as unknown as TaskJson;
  }

  subscribe(request: JsonObject, options?: CallOptions): Promise<EventStream> {
    return this.open('SubscribeToTask', request, options);
  }
}

/** Makes an EventStream of a source whose first item is awaited here. */
export async function openEventStream(
  source: AsyncGenerator<StreamEvent>,
  headers: ReadonlyMap<string, string>,
  hangUp: () => void,
): Promise<EventStream> {
  let first: IteratorResult<StreamEvent> | undefined = await source.next();
  const next = async (): Promise<StreamEvent | undefined> => {
    const result = first ?? (await source.next());
    first = undefined;
    return result.done ? undefined : result.value;
  };
  return {
    headers,
    next,
    close: hangUp,
    async rest() {
      const items: StreamItemJson[] = [];
      for (let event = await next(); event; event = await next()) items.push(event.item);
      return items;
    },
    async *[Symbol.asyncIterator]() {
      try {
        for (let event = await next(); event; event = await next()) yield event;
      } finally {
        hangUp();
      }
    },
  };
}
