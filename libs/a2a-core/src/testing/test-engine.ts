import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { A2aCoreModule } from '../a2a-core.module.js';
import { type A2aCoreExtras } from '../a2a-core.module-definition.js';
import { type A2aCoreOptions } from '../a2a-core.options.js';
import { WireRegistry } from '../cards/wire-registry.js';
import { ANONYMOUS } from '../call/principal.js';
import {
  CancelTaskRequestSchema,
  GetTaskRequestSchema,
  type Message,
  SendMessageRequestSchema,
  type SendMessageResponse,
  type StreamResponse,
  SubscribeToTaskRequestSchema,
  type Task,
} from '../gen/a2a_pb.js';
import { A2aLogger } from '../logging.js';
import { userMessage } from '../protocol/messages.js';
import { type IncomingCall, RequestHandler } from '../requests/request-handler.js';
import { type StreamItem } from '../streams/stream-item.js';

/** A call over no particular wire. */
export function incomingCall(facts: Partial<Omit<IncomingCall, 'headers'>> & { headers?: Record<string, string> } = {}): IncomingCall {
  const { headers = {}, ...rest } = facts;
  return {
    binding: 'HTTP+JSON',
    principal: ANONYMOUS,
    signal: new AbortController().signal,
    ...rest,
    headers: new Map(Object.entries({ 'a2a-version': '1.0', ...headers })),
  };
}

/** The engine with the agents of a spec, and short ways to talk to it. */
export class TestEngine {
  private constructor(
    readonly handler: RequestHandler,
    readonly logged: { message: string; facts?: Record<string, unknown> }[],
    readonly close: () => Promise<void>,
    private readonly get_: <T>(token: Type<T> | (abstract new (...args: never[]) => T)) => T,
  ) {}

  /** @param agents providers of one module each */
  static async start(
    agents: readonly Provider[][],
    options: Partial<A2aCoreOptions> = {},
    extras: A2aCoreExtras = {},
  ): Promise<TestEngine> {
    const logged: TestEngine['logged'] = [];
    const note = (message: string, facts?: Record<string, unknown>): void => void logged.push({ message, facts });
    const logger = { provide: A2aLogger, useValue: { debug() {}, info: note, warn: note, error: note } };
    const core = A2aCoreModule.forRoot({
      publicUrl: 'https://agents.example',
      ...options,
      ...extras,
      overrides: [logger, ...(extras.overrides ?? [])],
    });
    const wire = { binding: 'HTTP+JSON', addressOf: () => ({ url: 'https://agents.example' }) };
    const module = await Test.createTestingModule({ imports: [core, ...agents.map(agentModule)] }).compile();
    module.get(WireRegistry, { strict: false }).add(wire);
    // What skills throw on purpose is in `logged`.
    module.useLogger(false);
    await module.init();
    const get = <T>(token: Type<T> | (abstract new (...args: never[]) => T)): T => module.get(token as Type<T>, { strict: false });
    return new TestEngine(get(RequestHandler), logged, () => module.close(), get);
  }

  get<T>(token: abstract new (...args: never[]) => T): T {
    return this.get_(token);
  }

  async send(
    message: string | Message,
    init: MessageInitShape<typeof SendMessageRequestSchema> = {},
    call: IncomingCall = incomingCall(),
  ): Promise<SendMessageResponse> {
    return (await this.handler.sendMessage(sendRequest(message, init), call)).response;
  }

  /** Sends and insists on a task. */
  async sendForTask(...args: Parameters<TestEngine['send']>): Promise<Task> {
    const { payload } = await this.send(...args);
    if (payload.case !== 'task') throw new Error(`Expected a task, got ${payload.case}`);
    return payload.value;
  }

  async stream(
    message: string | Message,
    init: MessageInitShape<typeof SendMessageRequestSchema> = {},
    call: IncomingCall = incomingCall(),
  ): Promise<AsyncIterable<StreamItem>> {
    return (await this.handler.sendStreamingMessage(sendRequest(message, init), call)).response;
  }

  /** The task as GetTask has it. */
  async task(id: string, historyLength?: number): Promise<Task> {
    return (await this.handler.getTask(create(GetTaskRequestSchema, { id, historyLength }), incomingCall())).response;
  }

  async cancel(id: string, call: IncomingCall = incomingCall()): Promise<Task> {
    return (await this.handler.cancelTask(create(CancelTaskRequestSchema, { id }), call)).response;
  }

  async subscribe(id: string, call: IncomingCall = incomingCall()): Promise<AsyncIterable<StreamItem>> {
    return (await this.handler.subscribeToTask(create(SubscribeToTaskRequestSchema, { id }), call)).response;
  }
}

/** A request with this message, or with a message of this text. */
export function sendRequest(message: string | Message, init: MessageInitShape<typeof SendMessageRequestSchema> = {}) {
  return create(SendMessageRequestSchema, { ...init, message: typeof message === 'string' ? userMessage(message) : message });
}

/** Every event of a stream, once it has ended. */
export async function collect(items: AsyncIterable<StreamItem>): Promise<StreamResponse[]> {
  const events: StreamResponse[] = [];
  for await (const { event } of items) events.push(event);
  return events;
}

function agentModule(providers: Provider[]): DynamicModule {
  @Module({})
  class AgentUnderTest {}
  return { module: AgentUnderTest, providers };
}
