import { Injectable } from '@nestjs/common';
import { Audit } from '../audit/audit.js';
import { contextNamespace } from '../execution/context-namespace.js';
import { Role } from '../gen/a2a_pb.js';
import { isTerminal } from '../protocol/task-state.js';
import { StateStore } from '../tasks/state-store.js';
import { TaskEventLog } from '../tasks/task-event-log.js';
import { type TaskHead, TaskRepository } from '../tasks/task-repository.js';
import { type TaskScope } from '../tasks/task-scope.js';
import { type Counts, sum } from './counts.js';
import { TaskData } from './task-data.js';
import { TaskEnder } from './task-ender.js';

/** Short steps, so that nobody who writes waits long for one. */
const AT_ONCE = 100;

/** Whose data; everywhere unless an agent or a tenant is named. */
export interface OwnerSelection {
  /** As `Principal.owner`. */
  readonly owner: string;
  readonly agentId?: string;
  readonly tenant?: string;
}

/**
 * Deletes data of a caller on request (A2A §13.4), for those who run the host. Whoever exposes this checks who asks.
 *
 * - Tasks that run are cancelled first. Then they are gone with their log, snapshots, memos, receipts and webhooks, and their readers are
 *   let go.
 * - Deleting again, or what is not there, is no error. After a failure, do it again: what was deleted stays deleted.
 * - Every deletion is on the audit trail, under the name `by` of who asked for it.
 * - Nobody is kept out: what the owner makes meanwhile may stay. Take the owner's access away first.
 */
@Injectable()
export class DataDeletion {
  constructor(
    private readonly repository: TaskRepository,
    private readonly states: StateStore,
    private readonly log: TaskEventLog,
    private readonly data: TaskData,
    private readonly ender: TaskEnder,
    private readonly audit: Audit,
  ) {}

  /** @returns how much of what there was, such as `{ tasks: 1, receipts: 2, webhooks: 0 }` */
  deleteTask(scope: TaskScope, taskId: string, by: string): Promise<Counts> {
    return this.#audited(by, { ...scope, taskId }, async () => {
      const loaded = await this.log.load(scope, taskId);
      return loaded ? this.#deleteTasks(scope, [loaded.head]) : { tasks: 0 };
    });
  }

  /** Every task of a context, and what agents keep for it. @returns how much of what there was */
  deleteContext(scope: TaskScope, contextId: string, by: string): Promise<Counts> {
    return this.#audited(by, { ...scope, contextId }, async () => {
      const tasks = await this.#deleteMatching(scope, contextId);
      const values = await inSteps((limit) => this.states.delete(scope, limit, contextNamespace(contextId)));
      return sum(tasks, { values });
    });
  }

  /** Everything of an owner. @returns how much of what there was */
  async deleteOwner({ owner, agentId, tenant }: OwnerSelection, by: string): Promise<Counts> {
    const found = [...(await this.repository.findScopes(owner)), ...(await this.states.findScopes(owner))];
    const scopes = new Map(found.map((scope) => [JSON.stringify([scope.agentId, scope.tenant]), scope]));
    const wanted = [...scopes.values()].filter(
      (scope) => scope.agentId === (agentId ?? scope.agentId) && scope.tenant === (tenant ?? scope.tenant),
    );
    if (wanted.length === 0) return this.#audited(by, { owner, agentId, tenant }, async () => ({ tasks: 0, receipts: 0, values: 0 }));
    let counts: Counts = {};
    for (const scope of wanted) counts = sum(counts, await this.#audited(by, scope, () => this.#deleteScope(scope)));
    return counts;
  }

  async #deleteScope(scope: TaskScope): Promise<Counts> {
    const tasks = await this.#deleteMatching(scope);
    const receipts = await inSteps((limit) => this.repository.deleteReceipts(scope, limit));
    const values = await inSteps((limit) => this.states.delete(scope, limit));
    return sum(tasks, { receipts, values });
  }

  async #deleteMatching(scope: TaskScope, contextId?: string): Promise<Counts> {
    let counts: Counts = { tasks: 0, receipts: 0 };
    for (let heads = await this.#page(scope, contextId); heads.length > 0; heads = await this.#page(scope, contextId)) {
      counts = sum(counts, await this.#deleteTasks(scope, heads));
    }
    return counts;
  }

  async #page(scope: TaskScope, contextId?: string): Promise<readonly TaskHead[]> {
    return (await this.repository.list(scope, { contextId, limit: AT_ONCE })).heads;
  }

  async #deleteTasks(scope: TaskScope, heads: readonly TaskHead[]): Promise<Counts> {
    const unfinished = heads.filter(({ state }) => !isTerminal(state));
    await Promise.all(unfinished.map(({ taskId }) => this.ender.end(scope, taskId)));
    const messageIds = await this.#messageIdsOf(scope, heads);
    const taskIds = heads.map(({ taskId }) => taskId);
    const others = await this.data.deleteOf(scope, taskIds);
    const receipts = messageIds.length > 0 ? await this.repository.deleteReceipts(scope, messageIds.length, messageIds) : 0;
    return sum(others, { tasks: await this.log.delete(scope, taskIds), receipts });
  }

  /** Receipts name the messages that tasks answer; the log knows them. */
  async #messageIdsOf(scope: TaskScope, heads: readonly TaskHead[]): Promise<string[]> {
    const loaded = await this.log.loadMany(scope, heads);
    const said = loaded.flatMap(({ task }) => task.history.filter(({ role }) => role === Role.USER));
    return said.map(({ messageId }) => messageId);
  }

  async #audited(
    operator: string,
    whose: Partial<TaskScope> & { taskId?: string; contextId?: string },
    work: () => Promise<Counts>,
  ): Promise<Counts> {
    const { agentId, tenant, owner, taskId, contextId } = whose;
    const facts = { operator, agentId, tenant, owner, taskId, contextId };
    try {
      const counts = await work();
      this.audit.note('data.delete', { outcome: 'ok', ...facts, counts });
      return counts;
    } catch (error) {
      this.audit.note('data.delete', { outcome: 'failed', ...facts });
      throw error;
    }
  }
}

async function inSteps(step: (limit: number) => Promise<number>): Promise<number> {
  let total = 0;
  for (let count = AT_ONCE; count === AT_ONCE; total += count) count = await step(AT_ONCE);
  return total;
}
