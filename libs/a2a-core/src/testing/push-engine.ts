import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { Agent, type AgentOptions } from '../agents/agent.decorator.js';
import { AgentSkill, type Skill } from '../agents/agent-skill.decorator.js';
import { Clock } from '../clock.js';
import { type TurnContext } from '../execution/turn-context.js';
import {
  DeleteTaskPushNotificationConfigRequestSchema,
  GetTaskPushNotificationConfigRequestSchema,
  ListTaskPushNotificationConfigsRequestSchema,
  type Message,
  type Task,
  type TaskPushNotificationConfig,
  TaskPushNotificationConfigSchema,
} from '../gen/a2a_pb.js';
import { OutboundHttp } from '../outbound/outbound-http.js';
import { textOf } from '../protocol/messages.js';
import { ManualClock } from './manual-clock.js';
import { incomingCall, TestEngine } from './test-engine.js';
import { type IncomingCall } from '../requests/request-handler.js';
import { A2aPushModule, type A2aPushExtras } from '../push/a2a-push.module.js';
import { type A2aPushOptions } from '../push/push.options.js';
import { ScriptedReceivers } from './scripted-receivers.js';

export const SECRET = 'a secret of this host, long enough to be one';
export const HOOK = 'https://hooks.example.com/a2a';

/** A script of a task with three updates: WORKING, an artifact, COMPLETED. */
export async function* threeUpdates(turn: TurnContext) {
  yield turn.working('busy');
  yield turn.artifact('result');
  yield turn.completed();
}

type Script = (turn: TurnContext) => unknown;
type ConfigInit = MessageInitShape<typeof TaskPushNotificationConfigSchema>;

/** The engine with push notifications, an agent that does what a spec says, receivers in this process, and time that stands still. */
export class PushEngine {
  static readonly #scripts = new Map<string, Script>();

  private constructor(
    readonly engine: TestEngine,
    readonly receivers: ScriptedReceivers,
    readonly clock: ManualClock,
  ) {}

  static async start({
    agent = {},
    push = {},
    extras = {},
    providers = [],
    receivers = new ScriptedReceivers(),
    clock = new ManualClock(),
    store,
  }: {
    agent?: Partial<AgentOptions>;
    push?: Partial<A2aPushOptions>;
    extras?: A2aPushExtras;
    providers?: Provider[];
    receivers?: ScriptedReceivers;
    clock?: ManualClock;
    store?: DynamicModule;
  } = {}): Promise<PushEngine> {
    @AgentSkill({ id: 'scripted', name: 'Scripted', description: 'Does what a spec says', tags: ['test'] })
    class ScriptedSkill implements Skill {
      execute(turn: TurnContext) {
        const run = PushEngine.#scripts.get(turn.text) ?? PushEngine.#scripts.get(textOf(turn.task?.history[0]));
        if (!run) throw new Error(`No script ${turn.text}`);
        return run(turn) as string;
      }
    }

    @Agent({ id: 'scripted', name: 'Scripted', description: 'Does what a spec says', version: '1.0.0', pushNotifications: true, ...agent })
    class ScriptedAgent {}

    @Module({ providers: [{ provide: OutboundHttp, useValue: receivers }], exports: [OutboundHttp] })
    class ReceiversModule {}

    const module = A2aPushModule.forRoot({ secret: SECRET, ...push, ...extras });
    const engine = await TestEngine.start(
      [[ScriptedAgent, ScriptedSkill, ...providers]],
      { drainTimeoutMs: 50 },
      {
        push: { ...module, imports: [...(module.imports ?? []), ReceiversModule] },
        store,
        overrides: [{ provide: Clock, useValue: clock }],
      },
    );
    return new PushEngine(engine, receivers, clock);
  }

  script(name: string, run: Script): string {
    PushEngine.#scripts.set(name, run);
    return name;
  }

  /** Sends a message whose task gets a webhook. */
  sendWithHook(message: string | Message, config: ConfigInit = { url: HOOK }): Promise<Task> {
    return this.engine.sendForTask(message, { configuration: { taskPushNotificationConfig: config } });
  }

  async create(config: ConfigInit, call: IncomingCall = incomingCall()): Promise<TaskPushNotificationConfig> {
    const request = create(TaskPushNotificationConfigSchema, config);
    return (await this.engine.handler.createTaskPushNotificationConfig(request, call)).response;
  }

  async get(taskId: string, id: string, tenant = ''): Promise<TaskPushNotificationConfig> {
    const request = create(GetTaskPushNotificationConfigRequestSchema, { taskId, id, tenant });
    return (await this.engine.handler.getTaskPushNotificationConfig(request, incomingCall())).response;
  }

  async list(taskId: string, page: { pageSize?: number; pageToken?: string } = {}) {
    const request = create(ListTaskPushNotificationConfigsRequestSchema, { taskId, ...page });
    return (await this.engine.handler.listTaskPushNotificationConfigs(request, incomingCall())).response;
  }

  async delete(taskId: string, id: string): Promise<void> {
    const request = create(DeleteTaskPushNotificationConfigRequestSchema, { taskId, id });
    await this.engine.handler.deleteTaskPushNotificationConfig(request, incomingCall());
  }

  /** What came so far, in short. */
  get briefs(): string[] {
    return this.receivers.posts.map(({ brief }) => brief);
  }

  /** Ends the engine; time passes meanwhile. */
  async close(): Promise<void> {
    const closed = this.engine.close().then(() => 'closed');
    while ((await Promise.race([closed, this.clock.advance(1_000)])) !== 'closed');
  }
}
