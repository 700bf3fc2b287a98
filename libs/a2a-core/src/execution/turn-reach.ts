import { type JsonValue } from '@bufbuild/protobuf';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { type SkillAccess } from '../agents/skill-access.js';
import { type Audit } from '../audit/audit.js';
import { type Part, type Task } from '../gen/a2a_pb.js';
import { type A2aLogger } from '../logging.js';
import { type FetchedPart, fetchPart, type FetchPartOptions } from '../outbound/fetch-part.js';
import { type OutboundHttp } from '../outbound/outbound-http.js';
import { type StateStore } from '../tasks/state-store.js';
import { type TaskEventLog } from '../tasks/task-event-log.js';
import { type TaskRepository } from '../tasks/task-repository.js';
import { contextNamespace } from './context-namespace.js';
import { type PendingTurn } from './pending-turn.js';
import { type TaskRef } from './task-resumer.js';
import { type TaskWriter } from './task-writer.js';
import { type TurnServices } from './turn.js';
import { type TurnLogger, type TurnStore } from './turn-context.js';

/** What the turns of all agents have in common. */
export interface SharedReach {
  readonly repository: TaskRepository;
  readonly state: StateStore;
  readonly log: TaskEventLog;
  readonly logger: A2aLogger;
  readonly audit: Audit;
  readonly access: SkillAccess;
  readonly http?: OutboundHttp;
}

/** What one turn reaches into. Most turns need little of it, so a piece is made when it is asked for. */
export class TurnReach implements TurnServices {
  readonly #underWay = new Map<string, Promise<JsonValue>>();

  constructor(
    private readonly shared: SharedReach,
    private readonly agent: HostedAgent,
    private readonly ref: TaskRef,
    private readonly turn: PendingTurn,
    private readonly writer: TaskWriter,
  ) {}

  get signal(): AbortSignal {
    return this.turn.signal;
  }

  get logger(): TurnLogger {
    const { logger } = this.shared;
    const facts = { agentId: this.agent.id, taskId: this.ref.taskId, contextId: this.turn.contextId };
    return {
      debug: (message, more) => logger.debug(message, { ...facts, ...more }),
      info: (message, more) => logger.info(message, { ...facts, ...more }),
      warn: (message, more) => logger.warn(message, { ...facts, ...more }),
      error: (message, more) => logger.error(message, { ...facts, ...more }),
    };
  }

  get contextStore(): TurnStore {
    return this.#store(contextNamespace(this.turn.contextId));
  }

  get callerStore(): TurnStore {
    return this.#store('caller');
  }

  /** The same step asked for twice at once is made once. */
  memo<T extends JsonValue>(step: string, make: () => Promise<T> | T): Promise<T> {
    const result = this.#underWay.get(step) ?? this.#recall(step, make);
    this.#underWay.set(step, result);
    result.catch(() => this.#underWay.delete(step));
    return result as Promise<T>;
  }

  async referencedTasks(): Promise<Task[]> {
    const { scope } = this.ref;
    const ids = this.turn.request.message.referenceTaskIds;
    const loaded = await Promise.all(ids.map(async (id) => ({ id, found: await this.shared.log.load(scope, id) })));
    for (const { id, found } of loaded) if (!found) this.#noteLookup(id);
    return loaded.flatMap(({ found }) => (found ? [structuredClone(found.task)] : []));
  }

  fetchPart(part: Part, options?: FetchPartOptions): Promise<FetchedPart> {
    return fetchPart(this.shared.http, part, this.signal, options);
  }

  async requireSkill(skillId: string): Promise<void> {
    const { agent, ref, writer } = this;
    const skill = agent.skills.find(({ options }) => options.id === skillId);
    if (!skill) throw new Error(`Agent ${agent.id} has no skill ${skillId}`);
    const { principal } = this.turn.request;
    await this.shared.access.check({ agent, skill, principal, tenant: ref.scope.tenant, taskId: writer.exists ? ref.taskId : undefined });
  }

  async #recall(step: string, make: () => Promise<JsonValue> | JsonValue): Promise<JsonValue> {
    const { ref, writer } = this;
    const kept =
      writer.remembered(step) ?? (writer.exists ? await this.shared.repository.findMemo(ref.scope, ref.taskId, step) : undefined);
    if (kept !== undefined) return kept;
    const made = await make();
    writer.remember(step, made);
    return made;
  }

  #store(namespace: string): TurnStore {
    const { state } = this.shared;
    const { scope } = this.ref;
    return {
      get: (key) => state.get(scope, namespace, key),
      update: (key, change) => state.update(scope, namespace, key, change),
      set: async (key, value) => void (await state.update(scope, namespace, key, () => value)),
    };
  }

  /** A foreign task is as absent as one that never was, for the agent too; only the audit trail hears of the attempt. */
  #noteLookup(taskId: string): void {
    const { agentId, tenant, owner } = this.ref.scope;
    this.shared.audit.note('task.lookup', { outcome: 'refused', agentId, tenant, owner, taskId, detail: 'referenceTaskIds' });
  }
}
