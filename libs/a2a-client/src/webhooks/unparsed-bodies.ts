import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { A2A_WEBHOOK_OPTIONS, type A2aWebhookOptions, DEFAULT_MAX_BYTES } from './a2a-webhook.options.js';

const MEDIA_TYPE = 'application/a2a+json';

/** As much of a Fastify instance as is used here. */
interface FastifyRoot {
  hasContentTypeParser(type: string): boolean;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown;
}

/** Fastify refuses media types that it cannot parse; this one it gets to keep as bytes. Express leaves such a body alone. */
@Injectable()
export class UnparsedBodies {
  constructor(
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
    @Inject(A2A_WEBHOOK_OPTIONS) private readonly options: A2aWebhookOptions,
  ) {
    host.init$.subscribe(() => this.#prepare());
  }

  #prepare(): void {
    const { httpAdapter } = this.host;
    if (httpAdapter?.getType() !== 'fastify') return;
    const instance = httpAdapter.getInstance<FastifyRoot>();
    if (instance.hasContentTypeParser(MEDIA_TYPE)) return;
    const bodyLimit = this.options.maxBytes ?? DEFAULT_MAX_BYTES;
    instance.addContentTypeParser(MEDIA_TYPE, { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
  }
}
