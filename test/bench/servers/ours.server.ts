import 'reflect-metadata';
import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { A2A_FASTIFY_OPTIONS, A2aBindingsModule, connectA2aGrpc } from '@a2a/a2a-bindings';
import { A2aCoreModule, A2aLogger, TaskRepository } from '@a2a/a2a-core';
import { A2aStoreModule } from '@a2a/a2a-store';
import { OutboundModule } from '@a2a/outbound';
import { answerParent, serverOptions } from './answer-parent.js';
import { BenchAgent } from './ours.agent.js';
import { type Identity, identityModule } from './ours.identity.js';
import { seedOurs } from './ours.seed.js';

export interface OursServerOptions {
  readonly adapter: 'express' | 'fastify';
  /** As for A2aStoreModule; in memory without it. */
  readonly storeUrl?: string;
  readonly grpc?: boolean;
  /** Tasks to be there before the first call. */
  readonly tasks?: number;
  /** Default: a host without A2aAuthModule. */
  readonly identity?: Identity;
}

/** The peers write no log. */
class SilentLogger extends A2aLogger {
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(message: string, facts: object = {}): void {
    process.stderr.write(`${message} ${JSON.stringify(facts, (_, value: unknown) => (value instanceof Error ? value.stack : value))}\n`);
  }
}

/** The platform as a host sets it up, with every check it has, and an agent that does what the bench asks. */
const { adapter, storeUrl, grpc = false, tasks = 0, identity } = serverOptions<OursServerOptions>();

@Module({
  imports: [
    A2aCoreModule.forRoot({
      publicUrl: 'http://127.0.0.1',
      store: storeUrl === undefined ? undefined : A2aStoreModule.forRoot({ url: storeUrl }),
      auth: identity && identityModule(identity),
      overrides: [{ provide: A2aLogger, useClass: SilentLogger }],
      limits: { historyMessages: 10_000 },
    }),
    OutboundModule.forRoot(),
    A2aBindingsModule.forRoot({ httpAdapter: adapter }),
  ],
  providers: [BenchAgent],
})
class BenchModule {}

const http = adapter === 'express' ? new ExpressAdapter() : new FastifyAdapter(A2A_FASTIFY_OPTIONS);
// As the host does it; the header says nothing that a client needs.
if (http instanceof ExpressAdapter) http.getInstance<{ disable(setting: string): void }>().disable('x-powered-by');
const app = await NestFactory.create<INestApplication<Server>>(BenchModule, http, { logger: false, bodyParser: false });
const transport = grpc ? connectA2aGrpc(app, { url: '127.0.0.1:0' }) : undefined;
await app.startAllMicroservices();
await app.listen(0, '127.0.0.1');
await seedOurs(app.get(TaskRepository, { strict: false }), tasks);
answerParent({ http: (app.getHttpServer().address() as AddressInfo).port, grpc: transport?.port }, () => app.get(BenchAgent).go());
