import { create } from '@bufbuild/protobuf';
import { type DynamicModule, Global, Module, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import {
  A2aCoreModule,
  A2aPushModule,
  ANONYMOUS,
  CancelTaskRequestSchema,
  GetTaskRequestSchema,
  type IncomingCall,
  InMemoryPushConfigRepository,
  InMemoryStateStore,
  InMemoryTaskRepository,
  type Message,
  PushConfigRepository,
  RequestHandler,
  SendMessageRequestSchema,
  StateStore,
  SubscribeToTaskRequestSchema,
  type StreamResponse,
  type Task,
  TaskRepository,
  userMessage,
  WireRegistry,
} from '@a2a/a2a-core';
import { OutboundModule } from '@a2a/outbound';

/** Agents may declare push notifications; no webhook leaves a spec. */
const PUSH = A2aPushModule.forRoot({ secret: 'the secret of an engine in a test, and nothing else' });

/** What outlives an engine: give the second engine the store of the first, and it is a restart. */
export class EngineStore {
  readonly tasks = new InMemoryTaskRepository();
  readonly state = new InMemoryStateStore();
  readonly pushConfigs = new InMemoryPushConfigRepository(this.tasks);

  get module(): DynamicModule {
    @Global()
    @Module({})
    class EngineStoreModule {}

    const providers: Provider[] = [
      { provide: TaskRepository, useValue: this.tasks },
      { provide: StateStore, useValue: this.state },
      { provide: PushConfigRepository, useValue: this.pushConfigs },
    ];
    return { module: EngineStoreModule, providers, exports: [TaskRepository, StateStore, PushConfigRepository] };
  }
}

/** Agents on the real engine and a real HTTP server, without any A2A wire: a spec of an agent drives the operations directly. */
export class AgentEngine {
  private constructor(
    readonly app: NestExpressApplication,
    readonly url: string,
    private readonly agentId: string,
  ) {}

  static async start(
    agentId: string,
    imports: readonly (Type | DynamicModule)[],
    { store = new EngineStore(), overrides = [] as Provider[] } = {},
  ): Promise<AgentEngine> {
    const core = A2aCoreModule.forRoot({
      publicUrl: 'http://host.example',
      defaultAgent: agentId,
      store: store.module,
      push: PUSH,
      overrides,
    });

    @Module({ imports: [core, OutboundModule.forRoot(), ...imports] })
    class EngineModule {
      constructor(wires: WireRegistry) {
        // Cards must name a wire; operations are called without one here.
        wires.add({ binding: 'JSONRPC', addressOf: (agent) => ({ url: `http://host.example/agents/${agent.id}` }) });
      }
    }

    const options = { bodyParser: false, logger: false, abortOnError: false } as const;
    const app = await NestFactory.create<NestExpressApplication>(EngineModule, new ExpressAdapter(), options);
    await app.listen(0, '127.0.0.1');
    return new AgentEngine(app, await app.getUrl(), agentId);
  }

  /** Sends and waits for a message or a settled task. */
  async send(message: string | Message, extensions = ''): Promise<Message | Task> {
    const request = create(SendMessageRequestSchema, { message: asMessage(message) });
    const { response } = await this.#handler.sendMessage(request, this.#call(extensions));
    if (response.payload.value === undefined) throw new Error('An empty answer');
    return response.payload.value;
  }

  /** As `send`, where the answer has to be a task. */
  async run(message: string | Message, extensions = ''): Promise<Task> {
    const answer = await this.send(message, extensions);
    if (answer.$typeName !== 'lf.a2a.v1.Task') throw new Error('The answer is no task');
    return answer;
  }

  /** Comes back as soon as there is a task. */
  async begin(message: string | Message): Promise<Task> {
    const request = create(SendMessageRequestSchema, { message: asMessage(message), configuration: { returnImmediately: true } });
    const { response } = await this.#handler.sendMessage(request, this.#call());
    if (response.payload.case !== 'task') throw new Error('The answer is no task');
    return response.payload.value;
  }

  async get(id: string): Promise<Task> {
    return (await this.#handler.getTask(create(GetTaskRequestSchema, { id }), this.#call())).response;
  }

  async cancel(id: string): Promise<Task> {
    return (await this.#handler.cancelTask(create(CancelTaskRequestSchema, { id }), this.#call())).response;
  }

  /** Everything a subscriber gets until the task has ended. Resolves once the subscription stands. */
  async subscribe(id: string, extensions = ''): Promise<{ readonly rest: Promise<StreamResponse[]> }> {
    const { response } = await this.#handler.subscribeToTask(create(SubscribeToTaskRequestSchema, { id }), this.#call(extensions));
    const items = response[Symbol.asyncIterator]();
    const first = await items.next();
    const read = async (): Promise<StreamResponse[]> => {
      const events = first.done ? [] : [first.value.event];
      for (let item = await items.next(); !item.done; item = await items.next()) events.push(item.value.event);
      return events;
    };
    return { rest: read() };
  }

  async stream(message: string | Message, extensions = ''): Promise<StreamResponse[]> {
    const request = create(SendMessageRequestSchema, { message: asMessage(message) });
    const { response } = await this.#handler.sendStreamingMessage(request, this.#call(extensions));
    const events: StreamResponse[] = [];
    for await (const { event } of response) events.push(event);
    return events;
  }

  stop(): Promise<void> {
    return this.app.close();
  }

  get #handler(): RequestHandler {
    return this.app.get(RequestHandler, { strict: false });
  }

  #call(extensions = ''): IncomingCall {
    const headers = new Map([['a2a-version', '1.0'], ...(extensions ? [['a2a-extensions', extensions] as const] : [])]);
    return { binding: 'JSONRPC', mount: this.agentId, headers, principal: ANONYMOUS, signal: new AbortController().signal };
  }
}

function asMessage(message: string | Message): Message {
  return typeof message === 'string' ? userMessage(message) : message;
}
