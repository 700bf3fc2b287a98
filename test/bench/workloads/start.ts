import { Contender, type ContenderSpec } from '../measure/contender.js';
import { claimsOf, type Result, rowsOf } from '../measure/result.js';
import { spreadOf } from '../measure/rounds.js';
import { type BenchOptions, type Workload } from '../measure/workload.js';
import { NEST_EXPRESS, OURS_EXPRESS, SDK } from './peers.js';

const MIB = 1_048_576;

/** From the start of the process to the first card, and the memory then. */
export const W7: Workload = { id: 'W7', title: 'cold start to the first card', run };

async function run({ rounds }: BenchOptions): Promise<Result> {
  const specs = [NEST_EXPRESS, SDK, OURS_EXPRESS];
  const cpu = new Map<string, number[]>(specs.map(({ name }) => [name, []]));
  const wall = new Map<string, number[]>(specs.map(({ name }) => [name, []]));
  const memory = new Map<string, number[]>(specs.map(({ name }) => [name, []]));
  for (let round = 0; round <= Math.min(rounds, 7); round++) {
    for (const spec of specs) {
      const start = await startOnce(spec);
      // The first start fills the caches of the operating system.
      if (round === 0) continue;
      cpu.get(spec.name)?.push(start.cpuUs / 1_000);
      wall.get(spec.name)?.push(start.wallMs);
      memory.get(spec.name)?.push(start.rss / MIB);
    }
  }
  const extra = ratioDifference(memory);
  return {
    id: W7.id,
    title: W7.title,
    rows: [...rowsOf(cpu, 'CPU ms'), ...rowsOf(wall, 'ms'), ...rowsOf(memory, 'MiB')],
    claims: [
      ...claimsOf(cpu, [{ of: OURS_EXPRESS.name, to: NEST_EXPRESS.name, atMost: 1.3 }]),
      { text: `${OURS_EXPRESS.name}, MiB more than ${NEST_EXPRESS.name}`, measured: extra, atMost: 25 },
    ],
  };
}

function ratioDifference(memory: ReadonlyMap<string, readonly number[]>) {
  const [ours = [], bare = []] = [memory.get(OURS_EXPRESS.name), memory.get(NEST_EXPRESS.name)];
  return spreadOf(ours.map((value, round) => value - (bare[round] ?? 0)));
}

async function startOnce(spec: ContenderSpec): Promise<{ cpuUs: number; wallMs: number; rss: number }> {
  const began = performance.now();
  const contender = await Contender.start(spec);
  const response = await fetch(`http://127.0.0.1:${contender.ports.http}/.well-known/agent-card.json`);
  await response.arrayBuffer();
  const wallMs = performance.now() - began;
  const cpuUs = await contender.cpu();
  const { rss } = await contender.ask('memory');
  await contender.stop();
  return { cpuUs, wallMs, rss };
}
