import { Injectable, Optional } from '@nestjs/common';
import { type JsonValue } from '@bufbuild/protobuf';
import { type HostedAgent } from '../agents/hosted-agent.js';
import { Audit } from '../audit/audit.js';
import { SkillAccess } from '../agents/skill-access.js';
import { type Principal } from '../call/principal.js';
import { type Task } from '../gen/a2a_pb.js';
import { A2aLogger } from '../logging.js';
import { fetchPart } from '../outbound/fetch-part.js';
import { OutboundHttp } from '../outbound/outbound-http.js';
import { StateStore } from '../tasks/state-store.js';
import { TaskEventLog } from '../tasks/task-event-log.js';
import { TaskRepository } from '../tasks/task-repository.js';
import { type TaskScope } from '../tasks/task-scope.js';
import { type PendingTurn } from './pending-turn.js';
import { type TaskRef } from './task-resumer.js';
import { type TaskWriter } from './task-writer.js';
import { Turn, type TurnServices } from './turn.js';
import { type TurnLogger, type TurnStore } from './turn-context.js';

/** Builds the TurnContext an agent gets. */
@Injectable()
export class TurnFactory {
  constructor(
    private readonly repository: TaskRepository,
    private readonly state: StateStore,
    private readonly log: TaskEventLog,
    private readonly logger: A2aLogger,
    private readonly audit: Audit,
    private readonly access: SkillAccess,
    @Optional() private readonly http?: OutboundHttp,
  ) {}

  make(agent: HostedAgent, ref: TaskRef, pending: PendingTurn, writer: TaskWriter): Turn {
    const { request, contextId, before } = pending;
    const resumed = request.resumeMetadata !== undefined;
    const facts = { ...request, ref, contextId, task: before ?? writer.task, resumed };
    const services: TurnServices = {
      signal: pending.signal,
      logger: this.#logger({ agentId: agent.id, taskId: ref.taskId, contextId }),
      contextStore: this.#store(ref.scope, contextNamespace(contextId)),
      callerStore: this.#store(ref.scope, 'caller'),
      memo: memoizer(this.repository, ref, writer),
      referencedTasks: () => this.#referencedTasks(ref.scope, request.message.referenceTaskIds),
      fetchPart: (part, options) => fetchPart(this.http, part, pending.signal, options),
      requireSkill: (skillId) => this.#requireSkill(agent, skillId, request.principal, ref, writer),
    };
    return new Turn(facts, services);
  }

  async #requireSkill(agent: HostedAgent, skillId: string, principal: Principal, ref: TaskRef, writer: TaskWriter): Promise<void> {
    const skill = agent.skills.find(({ options }) => options.id === skillId);
    if (!skill) throw new Error(`Agent ${agent.id} has no skill ${skillId}`);
    const taskId = writer.exists ? ref.taskId : undefined;
    await this.access.check({ agent, skill, principal, tenant: ref.scope.tenant, taskId });
  }

  #store(scope: TaskScope, namespace: string): TurnStore {
    const { state } = this;
    return {
      get: (key) => state.get(scope, namespace, key),
      update: (key, change) => state.update(scope, namespace, key, change),
      set: async (key, value) => void (await state.update(scope, namespace, key, () => value)),
    };
  }

  #logger(facts: Record<string, unknown>): TurnLogger {
    const { logger } = this;
    return {
      debug: (message, more) => logger.debug(message, { ...facts, ...more }),
      info: (message, more) => logger.info(message, { ...facts, ...more }),
      warn: (message, more) => logger.warn(message, { ...facts, ...more }),
      error: (message, more) => logger.error(message, { ...facts, ...more }),
    };
  }

  async #referencedTasks(scope: TaskScope, ids: readonly string[]): Promise<Task[]> {
    const loaded = await Promise.all(ids.map(async (id) => ({ id, found: await this.log.load(scope, id) })));
    for (const { id, found } of loaded) if (!found) this.#noteLookup(scope, id);
    return loaded.flatMap(({ found }) => (found ? [structuredClone(found.task)] : []));
  }

  /** A foreign task is as absent as one that never was, for the agent too; only the audit trail hears of the attempt. */
  #noteLookup({ agentId, tenant, owner }: TaskScope, taskId: string): void {
    this.audit.note('task.lookup', { outcome: 'refused', agentId, tenant, owner, taskId, detail: 'referenceTaskIds' });
  }
}

/** Where StateStore keeps what agents keep for a context. */
export function contextNamespace(contextId: string): string {
  return `context:${contextId}`;
}

/** The same step asked for twice at once is made once. */
function memoizer(repository: TaskRepository, { scope, taskId }: TaskRef, writer: TaskWriter): TurnServices['memo'] {
  const underWay = new Map<string, Promise<JsonValue>>();
  const recall = async (step: string, make: () => Promise<JsonValue> | JsonValue): Promise<JsonValue> => {
    const kept = writer.remembered(step) ?? (writer.exists ? await repository.findMemo(scope, taskId, step) : undefined);
    if (kept !== undefined) return kept;
    const made = await make();
    writer.remember(step, made);
    return made;
  };
  return <T extends JsonValue>(step: string, make: () => Promise<T> | T): Promise<T> => {
    const result = underWay.get(step) ?? recall(step, make);
    underWay.set(step, result);
    result.catch(() => underWay.delete(step));
    return result as Promise<T>;
  };
}
