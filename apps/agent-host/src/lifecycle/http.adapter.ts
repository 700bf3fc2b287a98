import { type AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createServer, type ServerOptions } from 'node:http';
import { A2A_FASTIFY_OPTIONS } from '@a2a/a2a-bindings';
import { type HostConfig } from '../config/host.config.js';

/**
 * Time and room a client gets to say what it wants. Answers, streams above all, may take as long as they like: once a request has arrived
 * in full these limits are over.
 */
export const SERVER_LIMITS = {
  /** For all headers of a request. */
  headersTimeout: 10_000,
  /** For a whole request, its body included. */
  requestTimeout: 30_000,
  /** How often the two above are looked at. */
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
} as const satisfies ServerOptions;

/** The HTTP server below Nest, the same to a client whichever adapter makes it. */
export function createHttpAdapter(kind: HostConfig['httpAdapter'], limits: ServerOptions = SERVER_LIMITS): AbstractHttpAdapter {
  return kind === 'fastify'
    ? new FastifyAdapter({ ...A2A_FASTIFY_OPTIONS, http: limits, requestTimeout: limits.requestTimeout })
    : new LimitedExpressAdapter(limits);
}

/** Node takes some limits only while a server is made, and Nest's own adapter makes it without options. */
class LimitedExpressAdapter extends ExpressAdapter {
  constructor(private readonly limits: ServerOptions) {
    super();
  }

  override initHttpServer(): void {
    this.httpServer = createServer(this.limits, this.getInstance());
  }
}
