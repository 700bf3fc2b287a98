import { existsSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';

/** Memory that a process holds right now. Bytes. */
export function memoryOf(pid: number): number {
  const file = `/proc/${pid}/status`;
  const kilobytes = existsSync(file)
    ? /VmRSS:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kilobytes) * 1_024;
}

/** The most that a process holds while `work` lasts, beyond what it held before. Bytes. */
export async function growthOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = memoryOf(pid);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, memoryOf(pid))), 20);
  try {
    await work();
    return Math.max(most, memoryOf(pid)) - before;
  } finally {
    clearInterval(watch);
  }
}
