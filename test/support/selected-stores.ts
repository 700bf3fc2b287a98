/** The stores there are. */
export type StoreName = 'memory' | 'sqlite' | 'postgres';

const ALL: readonly StoreName[] = ['memory', 'sqlite', 'postgres'];
const selected = process.env.A2A_TEST_STORES?.split(',').map((name) => name.trim()) ?? ALL;

/** Whether the environment names a store; it does when it names none. */
export function isSelected(store: StoreName): boolean {
  return selected.includes(store);
}

/**
 * Describes a store's tests, unless the environment leaves it out: `A2A_TEST_STORES=memory,postgres` is for a Node whose SQLite driver
 * cannot be built. What is left out shows as one skipped case that says so.
 */
export function describeStore(store: StoreName, name: string, tests: () => void): void {
  if (isSelected(store)) describe(name, tests);
  else describe(name, () => it.skip(`is left out: A2A_TEST_STORES=${selected.join(',')} does not name ${store}`, () => undefined));
}
