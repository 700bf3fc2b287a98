import { type TaskCursor, type TaskHead } from './task-repository.js';

/** Entries of one run of the order; twice as many are split. */
const RUN_LENGTH = 256;

/** What stands in an order; its status time must not change while it does. */
export interface Placed {
  readonly head: TaskHead;
}

/**
 * Tasks in the order of `list`: newest status first, ties by task id descending.
 *
 * - Adding, removing and finding a place cost the length of one short run, however many tasks there are.
 * - Inside they lie oldest first, so that the newest, which is what is mostly added, goes to the end.
 */
export class TaskOrder {
  readonly #runs: Placed[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(task: Placed): void {
    this.#size++;
    const index = Math.min(this.#runOf(task.head), this.#runs.length - 1);
    const run = this.#runs[index];
    if (!run) {
      this.#runs.push([task]);
      return;
    }
    run.splice(placeIn(run, task.head), 0, task);
    if (run.length >= 2 * RUN_LENGTH) this.#runs.splice(index + 1, 0, run.splice(RUN_LENGTH));
  }

  remove(task: Placed): void {
    const index = this.#runOf(task.head);
    const run = this.#runs[index];
    const place = run ? placeIn(run, task.head) : 0;
    if (!run || run[place] !== task) return;
    run.splice(place, 1);
    this.#size--;
    if (run.length === 0) this.#runs.splice(index, 1);
  }

  /** Rows of the tasks behind `after`, in the order of `list`; of all without it. The order must not change meanwhile. */
  *behind(after?: TaskCursor): Generator<TaskHead> {
    const first = after ? this.#runOf(after) : this.#runs.length;
    const start = this.#runs[first];
    if (start && after) yield* backwards(start, placeIn(start, after));
    for (let index = first - 1; index >= 0; index--) {
      const run = this.#runs[index] ?? [];
      yield* backwards(run, run.length);
    }
  }

  /** How many have a status at or after this moment. */
  countFrom(statusAtMs: number): number {
    const edge = { statusAtMs, taskId: '' };
    const first = this.#runOf(edge);
    const earlier = placeIn(this.#runs[first] ?? [], edge);
    return this.#runs.slice(first).reduce((count, run) => count + run.length, 0) - earlier;
  }

  /** The first run that ends at or behind `place`. */
  #runOf(place: TaskCursor): number {
    return lowestIndex(this.#runs.length, (index) => {
      const last = this.#runs[index]?.at(-1);
      return last !== undefined && compare(last.head, place) >= 0;
    });
  }
}

function* backwards(run: readonly Placed[], end: number): Generator<TaskHead> {
  for (let index = end - 1; index >= 0; index--) {
    const task = run[index];
    if (task) yield task.head;
  }
}

function placeIn(run: readonly Placed[], place: TaskCursor): number {
  return lowestIndex(run.length, (index) => {
    const task = run[index];
    return task !== undefined && compare(task.head, place) >= 0;
  });
}

/** Lowest index for which `holds`; `length` if there is none. `holds` must stay true once it is. */
function lowestIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function compare(a: TaskCursor, b: TaskCursor): number {
  if (a.statusAtMs !== b.statusAtMs) return a.statusAtMs - b.statusAtMs;
  if (a.taskId === b.taskId) return 0;
  return a.taskId < b.taskId ? -1 : 1;
}
