import { Injectable, Optional } from '@nestjs/common';
import { type TaskRef } from '../execution/task-resumer.js';
import { PushConfigRepository } from '../push/configs/push-config.repository.js';
import { type TaskScope, taskKey } from '../tasks/task-scope.js';
import { type TaskDataHolder } from './task-data.holder.js';
import { WebhookData } from './webhook-data.js';

/**
 * Everybody who keeps something for tasks: who was added is asked before tasks go by age, and told when they go for whatever reason. The
 * webhooks of the store are there from the start.
 */
@Injectable()
export class TaskData {
  readonly #holders: TaskDataHolder[] = [];

  constructor(@Optional() webhooks?: PushConfigRepository) {
    if (webhooks) this.add(new WebhookData(webhooks));
  }

  add(holder: TaskDataHolder): void {
    this.#holders.push(holder);
  }

  /** The tasks that nobody needs any more. */
  async findIdle<Task extends TaskRef>(tasks: readonly Task[]): Promise<readonly Task[]> {
    const busy = new Set<string>();
    for (const holder of this.#holders) {
      for (const { scope, taskId } of (await holder.findBusy?.(tasks)) ?? []) busy.add(taskKey(scope, taskId));
    }
    return tasks.filter(({ scope, taskId }) => !busy.has(taskKey(scope, taskId)));
  }

  /** @returns how much each holder had */
  async deleteOf(scope: TaskScope, taskIds: readonly string[]): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const holder of this.#holders) counts[holder.name] = await holder.deleteOf(scope, taskIds);
    return counts;
  }
}
