/** The few items of the greatest size, in the order they came. Looks at each item once, however many there are. */
export function largest<T>(items: Iterable<T>, most: number, size: (item: T) => number): T[] {
  const kept: { readonly item: T; readonly size: number; readonly place: number }[] = [];
  let place = 0;
  for (const item of items) {
    const candidate = { item, size: size(item), place: (place += 1) };
    const smallest = kept.at(-1);
    if (kept.length === most && smallest && candidate.size <= smallest.size) continue;
    const at = kept.findIndex((other) => other.size < candidate.size);
    kept.splice(at < 0 ? kept.length : at, 0, candidate);
    kept.splice(most);
  }
  return kept.toSorted((one, other) => one.place - other.place).map(({ item }) => item);
}
