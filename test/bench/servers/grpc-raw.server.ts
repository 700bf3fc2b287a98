import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { Server, ServerCredentials, type ServerUnaryCall, type ServerWritableStream, type sendUnaryData } from '@grpc/grpc-js';
import { SendMessageRequestSchema, SendMessageResponseSchema, StreamResponseSchema, type SendMessageRequest } from '@a2a/a2a-core';
import { answerParent } from './answer-parent.js';
import { completedItem, chunkItem, echoResponse, workingItem } from './grpc-stand-ins.js';
import { askIn, tick } from './stand-ins.js';

/** grpc-js alone, with the same messages: what any gRPC server on this platform costs at least. */
const request = {
  requestSerialize: (value: SendMessageRequest) => Buffer.from(toBinary(SendMessageRequestSchema, value)),
  requestDeserialize: (bytes: Buffer) => fromBinary(SendMessageRequestSchema, bytes),
  requestStream: false as const,
};
const service = {
  sendMessage: {
    ...request,
    path: '/lf.a2a.v1.A2AService/SendMessage',
    responseStream: false as const,
    responseSerialize: (value: ReturnType<typeof echoResponse>) => Buffer.from(toBinary(SendMessageResponseSchema, value)),
    responseDeserialize: (bytes: Buffer) => fromBinary(SendMessageResponseSchema, bytes),
  },
  sendStreamingMessage: {
    ...request,
    path: '/lf.a2a.v1.A2AService/SendStreamingMessage',
    responseStream: true as const,
    responseSerialize: (value: ReturnType<typeof chunkItem>) => Buffer.from(toBinary(StreamResponseSchema, value)),
    responseDeserialize: (bytes: Buffer) => fromBinary(StreamResponseSchema, bytes),
  },
};

type Unary = ServerUnaryCall<SendMessageRequest, ReturnType<typeof echoResponse>>;
type Streaming = ServerWritableStream<SendMessageRequest, ReturnType<typeof chunkItem>>;

const server = new Server();
server.addService(service, {
  sendMessage: (call: Unary, done: sendUnaryData<ReturnType<typeof echoResponse>>) => done(null, echoResponse(textIn(call.request))),
  sendStreamingMessage: (call: Streaming) => void stream(call),
});
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_, port) => answerParent({ http: 0, grpc: port }));

function textIn({ message }: SendMessageRequest): string {
  const content = message?.parts[0]?.content;
  return content?.case === 'text' ? content.value : '';
}

async function stream(call: Streaming): Promise<void> {
  const { count } = askIn(textIn(call.request));
  call.write(workingItem());
  for (let index = 0; index < count; index++) {
    await tick();
    call.write(chunkItem(index > 0));
  }
  call.write(completedItem());
  call.end();
}
