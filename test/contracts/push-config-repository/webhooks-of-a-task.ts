import { randomUUID } from 'node:crypto';
import {
  type DeadLetter,
  type PushClaim,
  type PushConfigDraft,
  type PushConfigRepository,
  type PushRef,
  type PushSaved,
  type TaskRepository,
  type TaskScope,
  type TroubledPush,
} from '@a2a/a2a-core';
import { creation, newScope } from '../task-changes.js';

/** Both repositories of one store. */
export interface PushStore {
  readonly tasks: TaskRepository;
  readonly pushConfigs: PushConfigRepository;
}

/** Longer than any test. */
export const LEASE_MS = 60_000;
/** That nothing here reaches by chance. */
export const LIMITS = { perTask: 5, perOwner: 100 };

/** What a test is given: a new task of a new owner, in a store that others use too. What is found is this owner's only. */
export class WebhooksOfATask {
  scope: TaskScope = newScope();
  taskId: string = randomUUID();

  constructor(private readonly store: () => PushStore) {}

  /** Begins anew, with another owner and task. */
  async renew(): Promise<void> {
    this.scope = newScope();
    this.taskId = randomUUID();
    await this.tasks.commit(this.scope, creation(this.taskId), 0);
  }

  get tasks(): TaskRepository {
    return this.store().tasks;
  }

  get configs(): PushConfigRepository {
    return this.store().pushConfigs;
  }

  get task(): Omit<PushRef, 'configId'> {
    return { scope: this.scope, taskId: this.taskId };
  }

  readonly refOf = (configId: string): PushRef => ({ ...this.task, configId });

  readonly draft = (configId: string, more: Partial<PushConfigDraft> = {}): PushConfigDraft => {
    const { taskId } = this;
    return { taskId, configId, url: 'https://hooks.example/', secrets: 'v1.sealed', extensions: [], cursor: 0, isFinished: false, ...more };
  };

  readonly save = (configId: string, more: Partial<PushConfigDraft> = {}, limits = LIMITS): Promise<PushSaved> =>
    this.configs.save(this.scope, this.draft(configId, more), limits);

  readonly tryClaim = (configId: string): Promise<PushClaim | undefined> =>
    this.configs.claim(this.refOf(configId), randomUUID(), LEASE_MS);

  readonly claim = async (configId: string): Promise<PushClaim> => {
    const claimed = await this.tryClaim(configId);
    if (!claimed) throw new Error(`${configId} could not be claimed`);
    return claimed;
  };

  /** Ids of configs that are due. */
  readonly due = async (): Promise<string[]> => this.#idsOf(await this.configs.findDue(1_000));

  /** Ids of parked configs whose task went on, from every page. */
  readonly behind = async (): Promise<string[]> => {
    const found: string[] = [];
    for (let next: number | undefined = 0; next !== undefined;) {
      const page: Awaited<ReturnType<PushConfigRepository['findBehind']>> = await this.configs.findBehind(next, 3);
      found.push(...this.#idsOf(page.items));
      next = page.next;
    }
    return found;
  };

  readonly troubled = async (): Promise<TroubledPush[]> =>
    (await this.configs.findTroubled(0, 1_000)).items.filter(({ ref }) => this.#isMine(ref));

  #idsOf(refs: readonly PushRef[]): string[] {
    return refs.filter((ref) => this.#isMine(ref)).map(({ configId }) => configId);
  }

  #isMine({ scope }: PushRef): boolean {
    return scope.agentId === this.scope.agentId;
  }
}

/** A refused event of that version. */
export function letter(version: number): DeadLetter {
  return { version, reason: '404', attempts: 1, atMs: 1_000 };
}
