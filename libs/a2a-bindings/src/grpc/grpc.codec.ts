import { type DescMessage, type DescMethod, fromBinary, type MessageShape, toBinary } from '@bufbuild/protobuf';
import { type MethodDefinition, type ServiceDefinition } from '@grpc/grpc-js';
import { A2aError, A2AService, type StreamItem } from '@a2a/a2a-core';
import { scanMessage, type ShapeLimits } from './message.scanner.js';

/** How large and how structured a request may be. */
export interface RequestShape extends ShapeLimits {
  /** What the agent that takes least takes. */
  readonly leastMessageBytes: number;
}

/** Each JSON level takes up to three messages: a Value, its Struct, the Struct's entry. */
const MESSAGES_PER_LEVEL = 4;

/**
 * What the codec gives in place of a request that it refuses. grpc-js turns an error thrown while decoding into INTERNAL, so the error
 * travels as a value to the call gate.
 */
export class RefusedRequest {
  constructor(readonly error: A2aError) {}
}

/** Encoded sizes of requests that not every agent takes. Which one a request is for is known only once it is decoded. */
const LARGE = new WeakMap<object, number>();

/** Bytes of a request that some agent would refuse; undefined for any other. */
export function sizeOfLargeRequest(request: object): number | undefined {
  return LARGE.get(request);
}

/** A message as a handler gives it: to be encoded, or encoded once for all readers. */
type Outgoing = MessageShape<DescMessage> | StreamItem;

/** The service as grpc-js and Nest want it, made from the generated descriptors: no .proto file is read at run time. */
export function a2aPackageDefinition(limits: RequestShape): Record<string, ServiceDefinition> {
  return { [A2AService.typeName]: Object.fromEntries(A2AService.methods.map((method) => [method.name, toDefinition(method, limits)])) };
}

function toDefinition(method: DescMethod, limits: RequestShape): MethodDefinition<unknown, unknown> {
  return {
    path: `/${method.parent.typeName}/${method.name}`,
    originalName: method.localName,
    requestStream: false,
    responseStream: method.methodKind === 'server_streaming',
    requestSerialize: (message) => asBuffer(toBinary(method.input, message as MessageShape<DescMessage>)),
    requestDeserialize: (bytes) => {
      const request = decodeRequest(method.input, bytes, limits);
      if (bytes.length > limits.leastMessageBytes) LARGE.set(request, bytes.length);
      return request;
    },
    responseSerialize: (message) => encodeResponse(method.output, message as Outgoing),
    responseDeserialize: (bytes) => fromBinary(method.output, bytes),
  };
}

/** Unknown fields are ignored (A2A §5.7); presence is kept. */
export function decodeRequest(input: DescMessage, bytes: Uint8Array, limits: ShapeLimits): MessageShape<DescMessage> | RefusedRequest {
  try {
    scanMessage(input, bytes, limits);
    return fromBinary(input, bytes, { readUnknownFields: false, recursionLimit: limits.maxDepth * MESSAGES_PER_LEVEL });
  } catch (error) {
    if (error instanceof A2aError) return new RefusedRequest(error);
    return new RefusedRequest(new A2aError('PARSE_ERROR', 'Not a valid protobuf message', {}, { cause: error }));
  }
}

function encodeResponse(output: DescMessage, message: Outgoing): Buffer {
  return asBuffer('$typeName' in message ? toBinary(output, message) : message.binary);
}

/** A view of the same bytes. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
