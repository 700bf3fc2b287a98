import { isUtf8 } from 'node:buffer';
import { type IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { A2aError, AgentRegistry } from '@a2a/a2a-core';
import { HttpSettings } from '../a2a-bindings.options.js';
import { type HttpExchange } from './http-exchange.js';
import { isJsonMediaType } from './media-type.js';

/**
 * Reads JSON bodies from the raw stream, so that limits and errors are ours and the same on every adapter.
 *
 * - What is wrong with the headers is refused before a byte of the body is read.
 * - Bytes are counted while they arrive; never more than the limit is kept.
 */
@Injectable()
export class BodyReader {
  constructor(
    private readonly settings: HttpSettings,
    private readonly agents: AgentRegistry,
  ) {}

  /**
   * @returns the text of the body; empty when there is none
   * @throws {A2aError} UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, or PARSE_ERROR for what is not UTF-8
   */
  async read(exchange: HttpExchange): Promise<string> {
    const { request } = exchange;
    const maxBytes = this.#maxBytes(exchange);
    if (!exchange.hasBody) {
      exchange.bodyRead = true;
      return '';
    }
    this.#checkHeaders(exchange, maxBytes);
    const bytes = await this.#collect(request, maxBytes);
    exchange.bodyRead = true;
    if (!isUtf8(bytes)) throw new A2aError('PARSE_ERROR', 'Invalid JSON payload: not UTF-8');
    return bytes.toString('utf8');
  }

  #checkHeaders({ call, request }: HttpExchange, maxBytes: number): void {
    const encoding = call.headers.get('content-encoding');
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      throw new A2aError('UNSUPPORTED_MEDIA_TYPE', 'Compressed bodies are not accepted');
    }
    if (!isJsonMediaType(call.headers.get('content-type'))) {
      throw new A2aError('UNSUPPORTED_MEDIA_TYPE', 'Send application/json or application/a2a+json in UTF-8');
    }
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    if (request.readableEnded || (request as { body?: unknown }).body !== undefined) throw new Error(BODY_TAKEN);
  }

  #collect(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
    const { bodyTimeoutMs } = this.settings.limits;
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const settle = (outcome: Buffer | Error): void => {
        clearTimeout(timer);
        request.off('data', onData).off('end', onEnd).off('error', settle).off('close', onClose);
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      };
      const onData = (chunk: Buffer): void => {
        size += chunk.length;
        if (size > maxBytes) settle(tooLarge(maxBytes));
        else chunks.push(chunk);
      };
      const onEnd = (): void => settle(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
      const onClose = (): void => settle(new A2aError('INVALID_REQUEST', 'The request ended early'));
      const timer = setTimeout(() => settle(new A2aError('REQUEST_TIMEOUT', 'The body took too long to arrive')), bodyTimeoutMs);
      request.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
    });
  }

  /** The agent that the URL names may take more, or less, than others. */
  #maxBytes({ call: { mount } }: HttpExchange): number {
    const agent = mount === undefined ? this.agents.defaultAgent : this.agents.find(mount);
    return agent?.options.limits?.requestBytes ?? this.settings.limits.bodyBytes;
  }
}

function tooLarge(maxBytes: number): A2aError {
  return new A2aError('PAYLOAD_TOO_LARGE', `The request body is larger than ${maxBytes} bytes`);
}

const BODY_TAKEN =
  'Another parser has read the body of an A2A request. Create the app with { bodyParser: false }, or mount your parser only on your own routes';
