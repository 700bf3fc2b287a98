import { type LoadedTask } from './loaded-task.js';
import { type TaskEvent } from './task-event.js';
import { TaskFold } from './task-fold.js';
import { type StoredTask } from './task-repository.js';

const KNOWN_TASKS = 128;

/** The tasks that were read or written last, folded as far as they are known, so that only what is new has to be read. */
export class KnownFolds {
  readonly #folds = new Map<string, TaskFold>();

  find(key: string): TaskFold | undefined {
    return this.#folds.get(key);
  }

  /** Takes what was written behind a version: it need not be read back. */
  learn(key: string, events: readonly TaskEvent[], behind: number): void {
    const known = this.#folds.get(key);
    if (behind === 0) this.#keep(key, TaskFold.from(events));
    else if (known?.version === behind) for (const event of events) known.apply(event);
    else this.#folds.delete(key);
  }

  /**
   * Folds what the store has behind a version that was known when it was asked.
   *
   * @param known what `find` gave at that moment; it may have been advanced or forgotten since
   */
  load(key: string, known: TaskFold | undefined, stored: StoredTask): LoadedTask {
    const fold = advance(known, stored);
    this.#keep(key, fold);
    return { head: stored.head, task: fold.share() };
  }

  forget(key: string): void {
    this.#folds.delete(key);
  }

  #keep(key: string, fold: TaskFold): void {
    this.#folds.delete(key);
    this.#folds.set(key, fold);
    for (const oldest of this.#folds.keys()) {
      if (this.#folds.size <= KNOWN_TASKS) break;
      this.#folds.delete(oldest);
    }
  }
}

function advance(known: TaskFold | undefined, { snapshot, events }: StoredTask): TaskFold {
  const first = events[0]?.version;
  const fold = snapshot && (!known || known.version < snapshot.version) ? new TaskFold(snapshot.task, snapshot.version) : known;
  if (!fold) return TaskFold.from(events);
  if (first !== undefined && first > fold.version + 1) throw new Error(`Hole in a task log before version ${first}`);
  for (const event of events) if (event.version > fold.version) fold.apply(event);
  return fold;
}
