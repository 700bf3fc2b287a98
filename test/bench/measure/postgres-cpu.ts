import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** Microseconds in a tick of the clock by which Linux counts (`sysconf(_SC_CLK_TCK)` is 100 everywhere). */
const TICK_US = 10_000;

/** User and system time of a process and of its children that have ended, in ticks; nothing for a process that is gone. */
interface ProcessTimes {
  readonly parent: number;
  readonly ticks: number;
}

/**
 * CPU time of a PostgreSQL server on this machine with all its processes. Linux only.
 *
 * @returns a function that tells the microseconds so far
 */
export async function postgresCpu(url: string): Promise<() => number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const postmaster = timesOf(rows[0]?.pid ?? 0)?.parent;
  await client.end();
  if (postmaster === undefined) throw new Error('The CPU of PostgreSQL can be read on Linux only');
  return () => {
    const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const times = processes.map((pid) => ({ pid: Number(pid), times: timesOf(Number(pid)) }));
    const own = times.filter(({ pid, times: found }) => pid === postmaster || found?.parent === postmaster);
    return own.reduce((sum, { times: found }) => sum + (found?.ticks ?? 0), 0) * TICK_US;
  };
}

function timesOf(pid: number): ProcessTimes | undefined {
  try {
    // The name in parentheses may hold spaces; what follows it does not.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    return { parent: Number(fields[1]), ticks: user + system + endedUser + endedSystem };
  } catch {
    return undefined;
  }
}
