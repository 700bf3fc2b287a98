import { Client, type ClientReadableStream, credentials, Metadata, type MetadataValue, type ServiceError } from '@grpc/grpc-js';
import { createRegistry, type DescMessage, fromBinary, fromJson, type JsonObject, toBinary, toJson } from '@bufbuild/protobuf';
import { type Any, anyUnpack } from '@bufbuild/protobuf/wkt';
import { A2AService, BadRequestSchema, ErrorInfoSchema, messageToJson, RetryInfoSchema, StatusSchema } from '@a2a/a2a-core';
import {
  A2aClient,
  type CallOptions,
  type EventStream,
  openEventStream,
  type Reply,
  type StreamEvent,
  type StreamingName,
  type UnaryName,
  WireError,
} from './a2a-client.js';
import { type StreamItemJson } from './wire-json.js';

const DETAILS = createRegistry(BadRequestSchema, ErrorInfoSchema, RetryInfoSchema);

export class GrpcClient extends A2aClient {
  readonly wire = 'GRPC';
  readonly #client: Client;

  /** @param address `host:port`, dialled in plaintext */
  constructor(
    readonly address: string,
    tenant?: string,
  ) {
    super(tenant);
    this.#client = new Client(address, credentials.createInsecure());
  }

  call(operation: UnaryName, request: JsonObject, options: CallOptions = {}): Promise<Reply> {
    return this.callBytes(operation, encode(operation, this.addressed(request)), options);
  }

  /** Sends the bytes of a request as they are. */
  callBytes(operation: UnaryName, bytes: Uint8Array, options: CallOptions = {}): Promise<Reply> {
    return new Promise((resolve, reject) => {
      let headers: ReadonlyMap<string, string> = new Map();
      this.#client
        .makeUnaryRequest(pathOf(operation), toBuffer, identity, bytes, toMetadata(options), (error, response) => {
          if (error) reject(toError(error));
          else resolve({ body: decode(operation, response ?? Buffer.alloc(0)), headers });
        })
        .on('metadata', (metadata) => (headers = fromMetadata(metadata)));
    });
  }

  async open(operation: StreamingName, request: JsonObject, options: CallOptions = {}): Promise<EventStream> {
    const bytes = encode(operation, this.addressed(request));
    const call = this.#client.makeServerStreamRequest(pathOf(operation), toBuffer, identity, bytes, toMetadata(options));
    const headers = new Map<string, string>();
    call.on('metadata', (metadata) => fromMetadata(metadata).forEach((value, key) => headers.set(key, value)));
    return openEventStream(readItems(call, operation), headers, () => call.cancel());
  }

  close(): void {
    this.#client.close();
  }
}

async function* readItems(call: ClientReadableStream<Buffer>, operation: StreamingName): AsyncGenerator<StreamEvent> {
  try {
    for await (const bytes of call as AsyncIterable<Buffer>) yield { item: decode(operation, bytes) as StreamItemJson };
  } catch (error) {
    throw toError(error as ServiceError);
  }
}

function encode(operation: UnaryName | StreamingName, request: JsonObject): Uint8Array {
  const { input } = methodOf(operation);
  return toBinary(input, fromJson(input, request));
}

function decode(operation: UnaryName | StreamingName, bytes: Buffer): JsonObject {
  const { output } = methodOf(operation);
  return messageToJson<DescMessage>(output, fromBinary<DescMessage>(output, bytes)) as JsonObject;
}

function methodOf(operation: UnaryName | StreamingName): { input: DescMessage; output: DescMessage } {
  const method = A2AService.methods.find(({ name }) => name === operation);
  if (!method) throw new Error(`No RPC ${operation}`);
  return method;
}

function pathOf(operation: string): string {
  return `/lf.a2a.v1.A2AService/${operation}`;
}

function toMetadata({ headers = {} }: CallOptions): Metadata {
  const metadata = new Metadata();
  metadata.set('a2a-version', '1.0');
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) metadata.remove(name);
    else metadata.set(name, value);
  }
  return metadata;
}

function fromMetadata(metadata: Metadata): Map<string, string> {
  return new Map(Object.entries(metadata.getMap()).map(([name, value]: [string, MetadataValue]) => [name, value.toString()]));
}

/** The rich error is in the trailers, as google.rpc.Status. */
function toError(error: ServiceError): WireError {
  const [bytes] = error.metadata?.get('grpc-status-details-bin') ?? [];
  if (!(bytes instanceof Uint8Array)) return new WireError(error.code, error.details, []);
  const status = fromBinary(StatusSchema, bytes);
  if (status.code !== error.code || status.message !== error.details) {
    throw new Error(`grpc-status-details-bin says ${status.code} ${status.message}, the call ${error.code} ${error.details}`);
  }
  return new WireError(status.code, status.message, status.details.map(unpack));
}

function unpack(any: Any): JsonObject {
  const message = anyUnpack(any, DETAILS);
  const schema = message && DETAILS.getMessage(message.$typeName);
  return { '@type': any.typeUrl, ...(schema ? (toJson(schema, message) as JsonObject) : {}) };
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes);
}

function identity(bytes: Buffer): Buffer {
  return bytes;
}
