import { type KnownRecord } from './log-record.js';
import { type Pacer } from './pacer.js';

/** Records sorted at once, without a pause. */
const RUN = 2_048;

/** Records by time, those of one moment by line. A merge sort in slices, because sorting a whole input at once would hold everybody up. */
export async function chronological(records: readonly KnownRecord[], pacer: Pacer): Promise<KnownRecord[]> {
  if (await isOrdered(records, pacer)) return [...records];
  let runs: KnownRecord[][] = [];
  for (let start = 0; start < records.length; start += RUN) {
    runs.push(records.slice(start, start + RUN).toSorted(compare));
    if (pacer.spend(RUN * 16)) await pacer.pause();
  }
  while (runs.length > 1) {
    const merged: KnownRecord[][] = [];
    for (let pair = 0; pair < runs.length; pair += 2) merged.push(await merge(runs[pair] ?? [], runs[pair + 1] ?? [], pacer));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function isOrdered(records: readonly KnownRecord[], pacer: Pacer): Promise<boolean> {
  for (let index = 1; index < records.length; index += 1) {
    if (compare(records[index - 1] as KnownRecord, records[index] as KnownRecord) > 0) return false;
    if (pacer.spend(8)) await pacer.pause();
  }
  return true;
}

async function merge(left: readonly KnownRecord[], right: readonly KnownRecord[], pacer: Pacer): Promise<KnownRecord[]> {
  const merged: KnownRecord[] = [];
  for (let l = 0, r = 0; l < left.length || r < right.length;) {
    const [a, b] = [left[l], right[r]];
    if (a && (!b || compare(a, b) <= 0)) {
      merged.push(a);
      l += 1;
    } else if (b) {
      merged.push(b);
      r += 1;
    }
    if (pacer.spend(16)) await pacer.pause();
  }
  return merged;
}

function compare(one: KnownRecord, other: KnownRecord): number {
  // Infinity − Infinity is not a number: records before any time compare by line.
  return one.orderMs === other.orderMs ? one.from - other.from : one.orderMs - other.orderMs;
}
