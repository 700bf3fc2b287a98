import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what systems give to whoever asks for any port (from 32768 on Linux, from 49152 elsewhere), so that nobody gets one meanwhile. */
const FIRST = 20_000;
const WORKERS = 12;
const PORTS_A_WORKER = 1_000;

/** The range of this worker of jest, so that no two find the same port free. */
const start = FIRST + (Number(process.env.JEST_WORKER_ID ?? 0) % WORKERS) * PORTS_A_WORKER;
let next = Math.floor(Math.random() * PORTS_A_WORKER);

/** Ports of 127.0.0.1 that nobody listens on, all different, and that nobody is given until whoever asked listens there. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = start + (next++ % PORTS_A_WORKER);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  await once(probe.close(), 'close');
  return true;
}
