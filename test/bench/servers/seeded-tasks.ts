/** A task that is there before the bench begins. */
export interface SeededTask {
  readonly id: string;
  /** One of a hundred conversations of the size of the store, or of the one that has always fifty tasks. */
  readonly contextId: string;
  /** Fifty of them are, however many there are. */
  readonly isFailed: boolean;
  readonly statusAtMs: number;
}

/** What filters of the bench find: as many in a small store as in a large one. */
export const SMALL_CONTEXT = 'context-small';
const MATCHES = 50;
const EPOCH_MS = Date.UTC(2026, 0, 1);

/** Tasks whose times are in no order, the same for every server. */
export function* seededTasks(count: number): Generator<SeededTask> {
  for (let index = 0; index < count; index++) {
    // Steps through all residues once, since the step has no factor in common with a power of ten.
    const shuffled = (index * 7_919) % count;
    const isMatch = index % Math.floor(count / MATCHES) === 0;
    yield {
      id: `task-${String(index).padStart(8, '0')}`,
      contextId: isMatch ? SMALL_CONTEXT : `context-${index % 100}`,
      isFailed: isMatch,
      statusAtMs: EPOCH_MS + shuffled * 1_000,
    };
  }
}
