import { randomUUID } from 'node:crypto';
import { type Server } from 'node:http';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type JsonObject } from '@bufbuild/protobuf';
import { A2aBindingsModule, type A2aBindingsOptions, type A2aGrpcOptions, connectA2aGrpc } from '@a2a/a2a-bindings';
import { A2aCoreModule, type A2aCoreOptions, type AgentOptions } from '@a2a/a2a-core';
import { A2aRateLimitsModule, type RateLimitsOptions } from '@a2a/auth';
import { FrontDoor } from '../../../apps/agent-host/src/front-door/front-door.js';
import { SERVER_LIMITS } from '../../../apps/agent-host/src/front-door/server-limits.js';
import { createHttpAdapter } from '../../../apps/agent-host/src/lifecycle/http.adapter.js';
import { type A2aClient } from '../../support/clients/a2a-client.js';
import { GrpcClient } from '../../support/clients/grpc.js';
import { JsonRpcClient } from '../../support/clients/json-rpc.js';
import { RestClient } from '../../support/clients/rest.js';
import { freePorts } from '../../support/free-ports.js';
import { workerModule } from './worker.agent.js';

export const ADAPTERS = ['express', 'fastify'] as const;
export const WIRES = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;
export type Wire = (typeof WIRES)[number];

export interface LimitedHostOptions {
  readonly core?: Partial<A2aCoreOptions>;
  /** Default: none. */
  readonly rates?: RateLimitsOptions;
  readonly bindings?: A2aBindingsOptions;
  readonly grpc?: Partial<A2aGrpcOptions>;
  /** What the agent `worker`, served at the root, sets for itself. */
  readonly worker?: Partial<AgentOptions>;
  /** The same of the agent `other`. */
  readonly other?: Partial<AgentOptions>;
  readonly server?: Partial<Record<keyof typeof SERVER_LIMITS, number>>;
}

/** Two agents behind every wire of one adapter, with limits small enough to reach. */
export class LimitedHost {
  readonly #clients = new Map<string, A2aClient>();

  private constructor(
    private readonly app: INestApplication<Server>,
    readonly port: number,
    readonly grpcAddress: string,
  ) {}

  static async start(adapter: (typeof ADAPTERS)[number], options: LimitedHostOptions = {}): Promise<LimitedHost> {
    const [port, grpcPort] = (await freePorts(2)) as [number, number];
    @Module({
      imports: [
        A2aCoreModule.forRoot({
          publicUrl: `http://127.0.0.1:${port}`,
          defaultAgent: 'worker',
          drainTimeoutMs: 0,
          ...options.core,
          rates: options.rates && A2aRateLimitsModule.forRoot(options.rates),
        }),
        A2aBindingsModule.forRoot({ httpAdapter: adapter, ...options.bindings }),
        workerModule({ id: 'worker', ...options.worker }),
        workerModule({ id: 'other', ...options.other }),
      ],
    })
    class LimitedModule {}

    const door = new FrontDoor({}, false, { ...SERVER_LIMITS, ...options.server });
    const settings = { logger: false, bodyParser: false, abortOnError: false } as const;
    const app = await NestFactory.create<INestApplication<Server>>(LimitedModule, createHttpAdapter(adapter, door), settings);
    connectA2aGrpc(app, { url: `127.0.0.1:${grpcPort}`, ...options.grpc });
    await app.startAllMicroservices();
    await app.listen(port, '127.0.0.1');
    return new LimitedHost(app, port, `127.0.0.1:${grpcPort}`);
  }

  client(wire: Wire, agent = 'worker'): A2aClient {
    const key = `${wire} ${agent}`;
    const known = this.#clients.get(key) ?? this.#connect(wire, agent);
    this.#clients.set(key, known);
    return known;
  }

  async stop(): Promise<void> {
    for (const client of this.#clients.values()) client.close();
    await this.app.close();
  }

  #connect(wire: Wire, agent: string): A2aClient {
    const url = `http://127.0.0.1:${this.port}/agents/${agent}`;
    if (wire === 'GRPC') return new GrpcClient(this.grpcAddress, agent);
    return wire === 'JSONRPC' ? new JsonRpcClient(`${url}/rpc`) : new RestClient(url);
  }
}

/** A send of one text, answered at once unless it says otherwise. */
export function say(text: string, message: JsonObject = {}, configuration: JsonObject = { returnImmediately: true }): JsonObject {
  return { message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...message }, configuration };
}
