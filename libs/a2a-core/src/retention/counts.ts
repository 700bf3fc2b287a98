/** How much of what. */
export type Counts = Readonly<Record<string, number>>;

/** Name by name. */
export function sum(...all: readonly Counts[]): Counts {
  const total: Record<string, number> = {};
  for (const counts of all) for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
  return total;
}
