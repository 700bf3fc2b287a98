const FIRST = 200;
const GROWTH = 1.5;

/**
 * Whether a folded task should be kept when its log grows from `before` to `after` events.
 *
 * The distances grow with the log, so that snapshots cost a constant share of each event however long the task becomes.
 */
export function isSnapshotDue(before: number, after: number): boolean {
  let due = FIRST;
  while (due <= before) due = Math.ceil(due * GROWTH);
  return due <= after;
}
