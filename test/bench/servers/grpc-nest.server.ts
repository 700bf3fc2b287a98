import 'reflect-metadata';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GrpcMethod, type GrpcOptions, Transport } from '@nestjs/microservices';
import { Observable } from 'rxjs';
import { A2AService, type SendMessageRequest, type SendMessageResponse, type StreamResponse } from '@a2a/a2a-core';
import { freePort } from './free-port.js';
import { answerParent } from './answer-parent.js';
import { chunkItem, completedItem, echoResponse, workingItem } from './grpc-stand-ins.js';
import { askIn, tick } from './stand-ins.js';

const SERVICE = A2AService.typeName;

/** A gRPC controller as Nest's own documentation would write it. */
@Controller()
class BareController {
  @GrpcMethod(SERVICE, 'SendMessage')
  send(request: SendMessageRequest): SendMessageResponse {
    return echoResponse(textIn(request));
  }

  @GrpcMethod(SERVICE, 'SendStreamingMessage')
  stream(request: SendMessageRequest): Observable<StreamResponse> {
    const { count } = askIn(textIn(request));
    return new Observable((reader) => {
      const emit = async (): Promise<void> => {
        reader.next(workingItem());
        for (let index = 0; index < count; index++) {
          await tick();
          reader.next(chunkItem(index > 0));
        }
        reader.next(completedItem());
        reader.complete();
      };
      void emit();
    });
  }
}

@Module({ controllers: [BareController] })
class BareModule {}

const port = await freePort();
const options: GrpcOptions['options'] = {
  package: 'lf.a2a.v1',
  packageDefinition: { [SERVICE]: Object.fromEntries(A2AService.methods.map((method) => [method.name, definitionOf(method)])) },
  url: `127.0.0.1:${port}`,
};
const app = await NestFactory.createMicroservice<GrpcOptions>(BareModule, { transport: Transport.GRPC, options, logger: false });
await app.listen();
answerParent({ http: 0, grpc: port });

function definitionOf(method: (typeof A2AService.methods)[number]) {
  const encode = (schema: DescMessage) => (value: MessageShape<DescMessage>) => Buffer.from(toBinary(schema, value));
  const decode = (schema: DescMessage) => (bytes: Buffer) => fromBinary(schema, bytes);
  return {
    path: `/${SERVICE}/${method.name}`,
    originalName: method.localName,
    requestStream: false,
    responseStream: method.methodKind === 'server_streaming',
    requestSerialize: encode(method.input),
    requestDeserialize: decode(method.input),
    responseSerialize: encode(method.output),
    responseDeserialize: decode(method.output),
  };
}

function textIn({ message }: SendMessageRequest): string {
  const content = message?.parts[0]?.content;
  return content?.case === 'text' ? content.value : '';
}
