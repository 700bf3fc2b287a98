import { type RequestListener } from 'node:http';
import { type AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { A2A_FASTIFY_OPTIONS } from '@a2a/a2a-bindings';
import { type HostConfig } from '../config/host.config.js';
import { type FrontDoor } from '../front-door/front-door.js';

/** The adapter between Nest and the server that the front door makes; a client cannot tell which one it is. */
export function createHttpAdapter(kind: HostConfig['httpAdapter'], door: FrontDoor): AbstractHttpAdapter {
  if (kind === 'fastify')
    return new FastifyAdapter({ ...A2A_FASTIFY_OPTIONS, serverFactory: (handler: RequestListener) => door.makeServer(handler) });
  return new FrontedExpressAdapter(door);
}

/** Nest's own adapter makes its server itself, without options. */
class FrontedExpressAdapter extends ExpressAdapter {
  constructor(private readonly door: FrontDoor) {
    super();
    this.getInstance<{ disable(setting: string): unknown }>().disable('x-powered-by');
  }

  override initHttpServer(): void {
    this.httpServer = this.door.makeServer(this.getInstance());
  }
}
