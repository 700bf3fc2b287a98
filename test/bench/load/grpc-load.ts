import { randomUUID } from 'node:crypto';
import { create, toBinary } from '@bufbuild/protobuf';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { Role, SendMessageRequestSchema, textPart } from '@a2a/a2a-core';
import { PADDING } from './calls.js';

const identity = (bytes: Buffer): Buffer => bytes;

/** Calls over one gRPC connection, several at once. Messages stay bytes here. */
export class GrpcLoad {
  readonly #client: Client;
  readonly #metadata = new Metadata();

  constructor(port: number) {
    this.#client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
    this.#metadata.set('a2a-version', '1.0');
  }

  async unary(text: string, count: number, atOnce: number): Promise<void> {
    await this.#inParallel(count, atOnce, () => this.#send(text));
  }

  /** @returns how many items came */
  async streams(text: string, count: number, atOnce: number): Promise<number> {
    let items = 0;
    await this.#inParallel(count, atOnce, async () => void (items += await this.#stream(text)));
    return items;
  }

  close(): void {
    this.#client.close();
  }

  async #inParallel(count: number, atOnce: number, call: () => Promise<unknown>): Promise<void> {
    let left = count;
    const work = async (): Promise<void> => {
      while (left-- > 0) await call();
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  #send(text: string): Promise<Buffer | undefined> {
    return new Promise((resolve, reject) => {
      const path = '/lf.a2a.v1.A2AService/SendMessage';
      this.#client.makeUnaryRequest(path, identity, identity, requestFor(text), this.#metadata, (error, response) =>
        error ? reject(error) : resolve(response),
      );
    });
  }

  #stream(text: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const path = '/lf.a2a.v1.A2AService/SendStreamingMessage';
      let items = 0;
      this.#client
        .makeServerStreamRequest(path, identity, identity, requestFor(text), this.#metadata)
        .on('data', () => items++)
        .on('error', reject)
        .on('end', () => resolve(items));
    });
  }
}

function requestFor(text: string): Buffer {
  const message = { messageId: randomUUID(), role: Role.USER, parts: [textPart(text + PADDING)] };
  return Buffer.from(toBinary(SendMessageRequestSchema, create(SendMessageRequestSchema, { message })));
}
