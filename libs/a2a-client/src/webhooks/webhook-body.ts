import { type IncomingMessage } from 'node:http';
import { InternalServerErrorException, PayloadTooLargeException, RequestTimeoutException } from '@nestjs/common';

const READ_TIMEOUT_MS = 30_000;

/** What Express and Fastify hand to a guard: the first the message of Node itself, the second a wrapper around it. */
export interface WebhookRequest extends IncomingMessage {
  readonly raw?: IncomingMessage;
  readonly body?: unknown;
  /** The bytes as they came, where the application keeps them (`rawBody: true`) or our own parser did. */
  readonly rawBody?: Uint8Array;
}

/**
 * The body byte for byte, as it was signed, whether or not the application parses bodies.
 *
 * @throws {HttpException} 413 and 408; 500 when somebody parsed the body and kept no bytes
 */
export async function readWebhookBody(request: WebhookRequest, maxBytes: number): Promise<Uint8Array> {
  const bytes = request.rawBody ?? (request.body instanceof Uint8Array ? request.body : undefined);
  if (bytes) return checkSize(bytes, maxBytes);
  if (request.body !== undefined) {
    throw new InternalServerErrorException(
      'The body of a webhook was parsed before it could be verified: create the application with rawBody: true',
    );
  }
  return readStream(request.raw ?? request, maxBytes);
}

async function readStream(message: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const late = setTimeout(() => message.destroy(new RequestTimeoutException()), READ_TIMEOUT_MS);
  try {
    for await (const chunk of message as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) throw new PayloadTooLargeException();
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(late);
  }
  return Buffer.concat(chunks);
}

function checkSize(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length > maxBytes) throw new PayloadTooLargeException();
  return bytes;
}
