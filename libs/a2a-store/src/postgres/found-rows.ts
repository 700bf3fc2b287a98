import { type StoredTask, TaskEvent, type TaskHead, type TaskSnapshot } from '@a2a/a2a-core';
import { type HeadRow, parseTask, toHead } from '../rows.js';

/** A row of FIND: what `kind` says, of the task numbered `no`. */
export type FoundRow =
  (HeadRow & { readonly kind: 'head' }) | { readonly kind: 'snapshot' | 'event'; readonly version: number; readonly payload: string };

/** Each task's rows begin with its head. */
export function toStoredTasks(rows: readonly FoundRow[]): StoredTask[] {
  const tasks: { head: TaskHead; snapshot?: TaskSnapshot; events: TaskEvent[] }[] = [];
  for (const row of rows) {
    const task = tasks.at(-1);
    if (row.kind === 'head') tasks.push({ head: toHead(row), events: [] });
    else if (task && row.kind === 'snapshot') task.snapshot = { version: row.version, task: parseTask(row.payload) };
    else if (task) task.events.push(TaskEvent.parse(row.version, row.payload));
  }
  return tasks;
}
