import { type INestApplication, Module, type ModuleMetadata, type NestApplicationOptions, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { A2A_FASTIFY_OPTIONS, A2aBindingsModule, type A2aBindingsOptions } from '@a2a/a2a-bindings';
import { A2aCoreModule, A2aLogger, Agent, AgentExecutor, type AgentEvent, RequestHandler, type TurnContext } from '@a2a/a2a-core';

export const ADAPTERS = ['express', 'fastify'] as const;
export type Adapter = (typeof ADAPTERS)[number];

/** Where cards of these tests say the host is. */
export const PUBLIC_URL = 'https://agents.example.com/base';

@Agent({ id: 'demo', name: 'Demo', description: 'Answers', version: '1.0.0' })
class DemoAgent extends AgentExecutor {
  async *execute(turn: TurnContext): AsyncIterable<AgentEvent> {
    yield turn.reply(`You said: ${turn.text}`);
  }
}

@Agent({
  id: 'other',
  name: 'Other <script>alert(1)</script>',
  description: 'Another & "quoted"',
  version: '2.0.0',
  defaultInputModes: ['image/png'],
})
class OtherAgent extends AgentExecutor {
  async *execute(turn: TurnContext): AsyncIterable<AgentEvent> {
    yield turn.working();
  }
}

@Module({ providers: [DemoAgent] })
class DemoModule {}

@Module({ providers: [OtherAgent] })
class OtherModule {}

/** Keeps what the host logs. */
export class MemoryLogger extends A2aLogger {
  readonly lines: { readonly level: string; readonly message: string; readonly facts?: Record<string, unknown> }[] = [];

  debug(): void {}
  info(): void {}
  warn(message: string, facts?: Record<string, unknown>): void {
    this.lines.push({ level: 'warn', message, facts });
  }
  error(message: string, facts?: Record<string, unknown>): void {
    this.lines.push({ level: 'error', message, facts });
  }
}

export interface WireHostOptions extends A2aBindingsOptions {
  /** In place of the engine. */
  readonly handler?: object;
  readonly overrides?: Provider[];
  /** What else the application has. */
  readonly app?: ModuleMetadata;
  /** Whether Nest may add its own body parsers. Default false. */
  readonly bodyParser?: boolean;
  /** Serves TLS. */
  readonly https?: NestApplicationOptions['httpsOptions'];
}

/** An application with two agents and nothing but the wires to talk to them. */
export class WireHost {
  private constructor(
    readonly app: INestApplication<Server>,
    readonly port: number,
    readonly logger: MemoryLogger,
  ) {}

  static async start(adapter: Adapter, options: WireHostOptions = {}): Promise<WireHost> {
    const { app: extra, bodyParser = false, handler, https, overrides = [], ...bindings } = options;
    const logger = new MemoryLogger();
    class HostModule {}
    const app = await NestFactory.create<INestApplication<Server>>(
      {
        module: HostModule,
        ...extra,
        imports: [
          ...(extra?.imports ?? []),
          A2aCoreModule.forRoot({
            publicUrl: PUBLIC_URL,
            defaultAgent: 'demo',
            overrides: [
              { provide: A2aLogger, useValue: logger },
              ...(handler ? [{ provide: RequestHandler, useValue: handler }] : []),
              ...overrides,
            ],
          }),
          A2aBindingsModule.forRoot({ httpAdapter: adapter, ...bindings }),
          DemoModule,
          OtherModule,
        ],
      },
      adapter === 'express' ? new ExpressAdapter() : new FastifyAdapter({ ...A2A_FASTIFY_OPTIONS, ...(https && { https }) }),
      { bodyParser, logger: false, abortOnError: false, httpsOptions: https },
    );
    if (bindings.pathPrefix) app.setGlobalPrefix(bindings.pathPrefix);
    await app.listen(0, '127.0.0.1');
    return new WireHost(app, (app.getHttpServer().address() as AddressInfo).port, logger);
  }

  stop(): Promise<void> {
    return this.app.close();
  }
}
