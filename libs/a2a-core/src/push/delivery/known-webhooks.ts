import { taskKey } from '../../tasks/task-scope.js';
import { type PushRef } from '../configs/push-config.repository.js';

const TASKS = 10_000;

/** The webhooks of the tasks that this process heard of last, so that most events need no look into the store. */
export class KnownWebhooks {
  /** By task, the one heard of last at the end. */
  readonly #tasks = new Map<string, Map<string, PushRef>>();

  /** @param key from `taskKey()` @returns undefined when nothing is known of the task */
  of(key: string): Iterable<PushRef> | undefined {
    return this.#tasks.get(key)?.values();
  }

  add(ref: PushRef): void {
    const key = taskKey(ref.scope, ref.taskId);
    const configs = this.#tasks.get(key) ?? new Map<string, PushRef>();
    this.#tasks.delete(key);
    this.#tasks.set(key, configs.set(ref.configId, ref));
    for (const oldest of this.#tasks.keys()) {
      if (this.#tasks.size <= TASKS) break;
      this.#tasks.delete(oldest);
    }
  }

  delete({ scope, taskId, configId }: PushRef): void {
    const key = taskKey(scope, taskId);
    const configs = this.#tasks.get(key);
    configs?.delete(configId);
    if (configs?.size === 0) this.#tasks.delete(key);
  }
}
