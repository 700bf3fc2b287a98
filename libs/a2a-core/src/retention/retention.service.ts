import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { A2A_CORE_OPTIONS } from '../a2a-core.module-definition.js';
import { type A2aCoreOptions } from '../a2a-core.options.js';
import { Audit } from '../audit/audit.js';
import { Clock } from '../clock.js';
import { A2aLogger } from '../logging.js';
import { StateStore } from '../tasks/state-store.js';
import { TaskEventLog } from '../tasks/task-event-log.js';
import { type EndedTask, TaskRepository } from '../tasks/task-repository.js';
import { type TaskScope } from '../tasks/task-scope.js';
import { type Counts, sum } from './counts.js';
import { DEFAULT_SWEEP_EVERY_MS, type RetentionOptions } from './retention.options.js';
import { TaskData } from './task-data.js';

/** Short steps, so that nobody who writes waits long for one. */
const AT_ONCE = 200;
/** The first sweep: soon, for hosts that are restarted often, and not while everybody comes back. */
const FIRST_SWEEP_MS = 60_000;
/** Timers count no further. */
const LONGEST_PAUSE_MS = 2 ** 31 - 1;

/**
 * Removes what is older than the host wants to keep it (A2A §13.4).
 *
 * - Only tasks that have ended go, with their log, snapshots, memos and webhooks, and never while a webhook has something to deliver.
 * - Any number of processes may do it at once.
 * - A sweep that fails is told in the log and tried again at the next one.
 */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #options: RetentionOptions;
  readonly #stopped = new AbortController();
  #sweeping: Promise<void> = Promise.resolve();

  constructor(
    @Inject(A2A_CORE_OPTIONS) { retention = {} }: A2aCoreOptions,
    private readonly repository: TaskRepository,
    private readonly states: StateStore,
    private readonly log: TaskEventLog,
    private readonly data: TaskData,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly logger: A2aLogger,
  ) {
    this.#options = retention;
  }

  onApplicationBootstrap(): void {
    const { tasksMs, contextsMs } = this.#options;
    if (tasksMs !== undefined || contextsMs !== undefined) this.#sweeping = this.#sweepAgainAndAgain();
  }

  async onModuleDestroy(): Promise<void> {
    this.#stopped.abort();
    await this.#sweeping;
  }

  /** Removes all that is too old by now. @returns how much */
  async sweep(): Promise<Counts> {
    const { tasksMs, contextsMs } = this.#options;
    const now = this.clock.now();
    const counts = sum(
      tasksMs === undefined ? {} : await this.#removeTasks(now - tasksMs),
      contextsMs === undefined ? {} : { values: await this.#removeValues(now - contextsMs) },
    );
    if (Object.values(counts).some((count) => count > 0)) this.audit.note('data.expire', { outcome: 'ok', counts });
    return counts;
  }

  async #sweepAgainAndAgain(): Promise<void> {
    const { sweepEveryMs = DEFAULT_SWEEP_EVERY_MS } = this.#options;
    for (let waitMs = Math.min(FIRST_SWEEP_MS, sweepEveryMs); await this.#pause(waitMs); waitMs = sweepEveryMs) {
      await this.sweep().catch((error: unknown) => this.logger.warn('Could not remove what is too old', { error }));
    }
  }

  async #removeTasks(endedBeforeMs: number): Promise<Counts> {
    let counts: Counts = { tasks: 0 };
    let last: EndedTask | undefined;
    for (let page = await this.#page(endedBeforeMs); page.length > 0; page = await this.#page(endedBeforeMs, last)) {
      for (const { scope, taskIds } of byScope(await this.data.findIdle(page))) {
        const others = await this.data.deleteOf(scope, taskIds);
        counts = sum(counts, others, { tasks: await this.log.delete(scope, taskIds) });
      }
      last = page.at(-1);
    }
    return counts;
  }

  async #removeValues(writtenBeforeMs: number): Promise<number> {
    let values = 0;
    for (let step = AT_ONCE; step === AT_ONCE && !this.#stopped.signal.aborted; values += step) {
      step = await this.states.deleteUnwritten(writtenBeforeMs, AT_ONCE);
    }
    return values;
  }

  async #page(endedBeforeMs: number, after?: EndedTask): Promise<EndedTask[]> {
    return this.#stopped.signal.aborted ? [] : this.repository.findEnded(endedBeforeMs, AT_ONCE, after);
  }

  /** @returns false when the host stops */
  async #pause(ms: number): Promise<boolean> {
    await this.clock.sleep(Math.min(ms, LONGEST_PAUSE_MS), this.#stopped.signal).catch(() => undefined);
    return !this.#stopped.signal.aborted;
  }
}

function byScope(tasks: readonly EndedTask[]): { readonly scope: TaskScope; readonly taskIds: string[] }[] {
  const groups = new Map<string, { readonly scope: TaskScope; readonly taskIds: string[] }>();
  for (const { scope, taskId } of tasks) {
    const key = JSON.stringify([scope.agentId, scope.tenant, scope.owner]);
    const group = groups.get(key) ?? { scope, taskIds: [] };
    groups.set(key, group);
    group.taskIds.push(taskId);
  }
  return [...groups.values()];
}
