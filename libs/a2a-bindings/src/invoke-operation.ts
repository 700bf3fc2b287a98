import { type Message } from '@bufbuild/protobuf';
import { type Answer, type IncomingCall, type Operation, type RequestHandler, type StreamItem } from '@a2a/a2a-core';

type UnaryMethod = (request: Message, call: IncomingCall) => Promise<Answer<Message>>;
type StreamMethod = (request: Message, call: IncomingCall) => Promise<Answer<AsyncIterable<StreamItem>>>;

/** Calls the handler of an operation that answers once. The table pairs names, requests and responses, so this is the one cast. */
export function invokeUnary(handler: RequestHandler, operation: Operation, request: Message, call: IncomingCall): Promise<Answer<Message>> {
  return (handler[operation.handler] as UnaryMethod).call(handler, request, call);
}

/** As `invokeUnary` for an operation that streams. */
export function invokeStream(
  handler: RequestHandler,
  operation: Operation,
  request: Message,
  call: IncomingCall,
): Promise<Answer<AsyncIterable<StreamItem>>> {
  return (handler[operation.handler] as StreamMethod).call(handler, request, call);
}
