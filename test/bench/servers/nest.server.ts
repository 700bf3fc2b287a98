import 'reflect-metadata';
import { type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Body, Controller, Get, HttpCode, type INestApplication, Module, Post, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { answerParent, serverOptions } from './answer-parent.js';
import { PlainEndpoint } from './plain-endpoint.js';
import { CARD, type RpcRequest } from './stand-ins.js';

export interface NestServerOptions {
  readonly adapter: 'express' | 'fastify';
}

/** Express hands out the response of Node itself, Fastify a reply around it. */
type Reply = ServerResponse & { readonly raw?: ServerResponse; hijack?(): void };

const endpoint = new PlainEndpoint();

/** A controller as Nest's own documentation would write it, on Nest's own body parser: what a host costs without A2A. */
@Controller()
class BareController {
  @Post('rpc')
  @HttpCode(200)
  call(@Body() request: RpcRequest): object | undefined {
    return endpoint.answer(request);
  }

  @Post('rpc/stream')
  stream(@Body() request: RpcRequest, @Res() reply: Reply): void {
    reply.hijack?.();
    endpoint.stream(request, reply.raw ?? reply);
  }

  @Get('.well-known/agent-card.json')
  card(): object {
    return CARD;
  }
}

@Module({ controllers: [BareController] })
class BareModule {}

const { adapter } = serverOptions<NestServerOptions>();
const http = adapter === 'express' ? new ExpressAdapter() : new FastifyAdapter();
const app = await NestFactory.create<INestApplication<Server>>(BareModule, http, { logger: false });
await app.listen(0, '127.0.0.1');
answerParent({ http: (app.getHttpServer().address() as AddressInfo).port }, () => void endpoint.fanOut());
