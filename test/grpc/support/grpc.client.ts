import { create, createRegistry, type DescMessage, fromBinary, type Message, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import {
  type CallOptions,
  type ChannelCredentials,
  Client,
  type ClientReadableStream,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import {
  type BadRequest,
  BadRequestSchema,
  type ErrorInfo,
  ErrorInfoSchema,
  getOperation,
  type OperationName,
  type RetryInfo,
  RetryInfoSchema,
  StatusSchema,
} from '@a2a/a2a-core';

const DETAILS = createRegistry(BadRequestSchema, ErrorInfoSchema, RetryInfoSchema);

/** How a call ended, details decoded from the trailers. */
export interface Ending {
  readonly code: status;
  readonly text: string;
  readonly trailers: Metadata;
  readonly errorInfo?: ErrorInfo;
  readonly badRequest?: BadRequest;
  readonly retryInfo?: RetryInfo;
}

export interface UnaryResult extends Ending {
  readonly response?: Message;
  readonly headers: Metadata;
}

export interface CallExtras extends CallOptions {
  readonly metadata?: Readonly<Record<string, string | string[]>>;
}

/** A client that sends and shows what a generated stub would hide: raw request bytes, metadata both ways, trailers. */
export class RawGrpcClient {
  readonly #client: Client;

  constructor(
    readonly address: string,
    channel: ChannelCredentials = credentials.createInsecure(),
  ) {
    // A connection of its own, so that tests of one connection do not meet those of another.
    this.#client = new Client(address, channel, { 'grpc.use_local_subchannel_pool': 1 });
  }

  unary(operation: OperationName, request: object | Uint8Array = {}, extras: CallExtras = {}): Promise<UnaryResult> {
    const { output } = getOperation(operation);
    return new Promise((resolve) => {
      let headers = new Metadata();
      let ending: Ending | undefined;
      let response: Message | undefined;
      const call = this.#client.makeUnaryRequest(
        pathOf(operation),
        (bytes: Uint8Array) => Buffer.from(bytes),
        (bytes) => fromBinary(output, bytes),
        encode(operation, request),
        toMetadata(extras.metadata),
        extras,
        (error, message) => {
          response = message;
          if (error) ending = toEnding(error);
        },
      );
      call.on('metadata', (received) => (headers = received));
      call.on('status', (last) => {
        resolve({ ...(ending ?? { code: last.code, text: last.details, trailers: last.metadata }), response, headers });
      });
    });
  }

  stream(operation: OperationName, request: object | Uint8Array = {}, extras: CallExtras = {}): ClientReadableStream<Message> {
    const { output } = getOperation(operation);
    return this.#client.makeServerStreamRequest(
      pathOf(operation),
      (bytes: Uint8Array) => Buffer.from(bytes),
      (bytes: Buffer): Message => fromBinary(output, bytes),
      encode(operation, request),
      toMetadata(extras.metadata),
      extras,
    );
  }

  close(): void {
    this.#client.close();
  }
}

/** Reads a stream to its end. */
export async function readAll(call: ClientReadableStream<Message>): Promise<{ items: Message[]; ending: Ending }> {
  const items: Message[] = [];
  try {
    for await (const item of call) items.push(item as Message);
    return { items, ending: { code: status.OK, text: '', trailers: new Metadata() } };
  } catch (error) {
    return { items, ending: toEnding(error as ServiceError) };
  }
}

export function toEnding(error: ServiceError): Ending {
  const ending = { code: error.code, text: error.details, trailers: error.metadata };
  const [bytes] = error.metadata.get('grpc-status-details-bin');
  if (!(bytes instanceof Uint8Array)) return ending;
  const rich = fromBinary(StatusSchema, bytes);
  // The same status twice is the rule that makes the details trustworthy.
  expect({ code: rich.code, text: rich.message }).toEqual({ code: error.code, text: error.details });
  const details = rich.details.map((any) => anyUnpack(any, DETAILS));
  return {
    ...ending,
    errorInfo: details.find((detail): detail is ErrorInfo => detail?.$typeName === 'google.rpc.ErrorInfo'),
    badRequest: details.find((detail): detail is BadRequest => detail?.$typeName === 'google.rpc.BadRequest'),
    retryInfo: details.find((detail): detail is RetryInfo => detail?.$typeName === 'google.rpc.RetryInfo'),
  };
}

function encode(operation: OperationName, request: object | Uint8Array): Uint8Array {
  if (request instanceof Uint8Array) return request;
  const input: DescMessage = getOperation(operation).input;
  return toBinary(input, create(input, request as MessageInitShape<DescMessage>));
}

function pathOf(operation: OperationName): string {
  return `/lf.a2a.v1.A2AService/${operation}`;
}

function toMetadata(entries: CallExtras['metadata'] = {}): Metadata {
  const metadata = new Metadata();
  metadata.set('a2a-version', '1.0');
  for (const [key, values] of Object.entries(entries)) for (const value of [values].flat()) metadata.add(key, value);
  return metadata;
}
