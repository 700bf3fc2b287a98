import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type A2aCoreOptions } from '../a2a-core.options.js';
import { A2A_CORE_OPTIONS } from '../a2a-core.module-definition.js';
import { AgentRegistry } from '../agents/agent-registry.js';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { Clock } from '../clock.js';
import { Role, type Task } from '../gen/a2a_pb.js';
import { A2aLogger } from '../logging.js';
import { TaskNotFoundError, UnavailableError } from '../protocol/errors.js';
import { ANONYMOUS } from '../call/principal.js';
import { userMessage } from '../protocol/messages.js';
import { type LoadedTask } from '../tasks/loaded-task.js';
import { TaskEventLog } from '../tasks/task-event-log.js';
import { TaskRepository } from '../tasks/task-repository.js';
import { type TaskScope, taskKey } from '../tasks/task-scope.js';
import { LiveTask } from './live-task.js';
import { type TurnHandle, type TurnRequest } from './pending-turn.js';
import { type RunnerServices } from './runner-services.js';
import { type ResumeNote, type TaskRef, TaskResumer } from './task-resumer.js';
import { AgentLimits } from '../limits/agent-limits.js';
import { TurnFactory } from './turn-factory.js';

const KEEP_ALIVE_MS = 5_000;
const ALIVE_FOR_MS = 15_000;
const ABANDONED_AT_ONCE = 100;
const LAST_GRACE_MS = 1_000;

/**
 * Starts, joins, cancels and drains the turns of this process.
 *
 * - At most one LiveTask a task, so turns of a task are serial.
 * - Runs are detached from connections: nothing here knows who listens.
 * - While the process lives it says so to the store; tasks whose process is gone are ended as FAILED by whoever finds them.
 */
@Injectable()
export class TaskRunner extends TaskResumer implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #live = new Map<string, LiveTask>();
  readonly #id = randomUUID();
  readonly #stopped = new AbortController();
  readonly #services: RunnerServices;
  #timer?: NodeJS.Timeout;
  #isDraining = false;

  constructor(
    @Inject(A2A_CORE_OPTIONS) private readonly options: A2aCoreOptions,
    private readonly repository: TaskRepository,
    private readonly log: TaskEventLog,
    private readonly registry: AgentRegistry,
    private readonly logger: A2aLogger,
    clock: Clock,
    turns: TurnFactory,
    limits: AgentLimits,
  ) {
    super();
    this.#services = {
      log,
      clock,
      logger,
      limits,
      runner: this.#id,
      stopped: this.#stopped.signal,
      taskAfterMs: options.taskAfterMs ?? 1_000,
      cancelTimeoutMs: options.cancelTimeoutMs ?? 5_000,
      makeTurn: (agent, ref, turn, writer) => turns.make(agent, ref, turn, writer),
      saveReply: async (scope, receipt, reply) => {
        if (receipt) await repository.saveReply(scope, receipt, reply);
      },
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.#beat();
    this.#timer = setInterval(() => void this.#beat(), KEEP_ALIVE_MS).unref();
  }

  /** Lets running turns end, for at most `drainTimeoutMs`; what still runs then is aborted and ends as FAILED. */
  async onModuleDestroy(): Promise<void> {
    this.#isDraining = true;
    const live = [...this.#live.values()];
    const idle = Promise.all(live.map((task) => task.idle()));
    await withinMs(idle, this.options.drainTimeoutMs ?? 10_000);
    const rest = [...this.#live.values()].map((task) => task.abandon('The host was stopped before this task was done.'));
    await withinMs(Promise.allSettled(rest), LAST_GRACE_MS);
    clearInterval(this.#timer);
    this.#stopped.abort();
  }

  /** @throws {UnavailableError} while the host drains */
  begin(agent: HostedAgent, scope: TaskScope, contextId: string, request: TurnRequest): TurnHandle {
    this.#checkAccepting();
    return this.#keep(agent, { scope, taskId: randomUUID() }, contextId).begin(request);
  }

  /** @throws {UnsupportedOperationError} when the task has ended, or works and the agent takes no messages then */
  async say(agent: HostedAgent, scope: TaskScope, loaded: LoadedTask, request: TurnRequest): Promise<TurnHandle> {
    this.#checkAccepting();
    return this.#liveTask(agent, scope, loaded).say(request);
  }

  /** Ends the task as CANCELED unless it ends otherwise first. Resolves when its last state is stored. */
  async cancel(agent: HostedAgent, scope: TaskScope, loaded: LoadedTask, request: TurnRequest): Promise<void> {
    await this.#liveTask(agent, scope, loaded).cancel(request);
  }

  async resume(ref: TaskRef, note: ResumeNote = {}): Promise<void> {
    this.#checkAccepting();
    const { scope, taskId } = ref;
    const agent = this.registry.find(scope.agentId);
    const loaded = agent && (await this.log.load(scope, taskId));
    if (!loaded) throw new TaskNotFoundError(taskId);
    const message = loaded.task.history.findLast(({ role }) => role === Role.USER) ?? userMessage('');
    const principal = { ...ANONYMOUS, owner: scope.owner };
    this.#liveTask(agent, scope, loaded).resume({ principal, message, resumeMetadata: note.metadata ?? {} });
  }

  /** For something that is to be asked of it at once. */
  #liveTask(agent: HostedAgent, scope: TaskScope, { head, task }: LoadedTask): LiveTask {
    const { taskId, contextId, version } = head;
    const known = this.#live.get(taskKey(scope, taskId));
    if (known) return known;
    const live = this.#keep(agent, { scope, taskId }, contextId, { task, version });
    // What was asked of it may have been refused, or be done.
    setImmediate(() => live.isIdle && this.#forget(live));
    return live;
  }

  /** Keeps a task until nothing of it runs any more. */
  #keep(agent: HostedAgent, ref: TaskRef, contextId: string, present?: { readonly task: Task; readonly version: number }): LiveTask {
    const live: LiveTask = new LiveTask(this.#services, agent, ref, contextId, () => this.#forget(live), present);
    this.#live.set(taskKey(ref.scope, ref.taskId), live);
    return live;
  }

  /** Unless another worker of the task has taken its place. */
  #forget(live: LiveTask): void {
    const key = taskKey(live.ref.scope, live.ref.taskId);
    if (this.#live.get(key) === live) this.#live.delete(key);
  }

  #checkAccepting(): void {
    if (this.#isDraining) throw new UnavailableError('The host is stopping; try again on another');
  }

  async #beat(): Promise<void> {
    try {
      await this.repository.keepAlive(this.#id, ALIVE_FOR_MS);
      const abandoned = await this.repository.findAbandoned(ABANDONED_AT_ONCE);
      await Promise.allSettled(abandoned.map((ref) => this.#failAbandoned(ref)));
    } catch (error) {
      this.logger.warn('Could not reach the task store', { error });
    }
  }

  async #failAbandoned({ scope, taskId }: TaskRef): Promise<void> {
    const agent = this.registry.find(scope.agentId);
    const loaded = await this.log.load(scope, taskId);
    if (!agent || !loaded || this.#live.has(taskKey(scope, taskId))) return;
    this.logger.warn('A task was left behind by a process that is gone', { agentId: scope.agentId, taskId });
    await this.#liveTask(agent, scope, loaded).abandon(
      'The host was restarted before this task was done. Send the message again to start over.',
    );
  }
}

async function withinMs(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
