import { type TaskRef } from '../execution/task-resumer.js';
import { type PushConfigRepository } from '../push/configs/push-config.repository.js';
import { type TaskScope } from '../tasks/task-scope.js';
import { type TaskDataHolder } from './task-data.holder.js';

const AT_ONCE = 100;

/** Webhooks of tasks. While one of them has something to deliver, its task stays, since the task's log is what is delivered from. */
export class WebhookData implements TaskDataHolder {
  readonly name = 'webhooks';

  constructor(private readonly repository: PushConfigRepository) {}

  async findBusy(tasks: readonly TaskRef[]): Promise<readonly TaskRef[]> {
    return this.repository.findActive(tasks);
  }

  async deleteOf(scope: TaskScope, taskIds: readonly string[]): Promise<number> {
    let deleted = 0;
    for (const taskId of taskIds) {
      for (let page = await this.#page(scope, taskId); page.length > 0; page = await this.#page(scope, taskId)) {
        for (const configId of page) await this.repository.delete(scope, taskId, configId);
        deleted += page.length;
      }
    }
    return deleted;
  }

  async #page(scope: TaskScope, taskId: string): Promise<string[]> {
    const configs = await this.repository.list(scope, taskId, undefined, AT_ONCE);
    return configs.map(({ configId }) => configId);
  }
}
