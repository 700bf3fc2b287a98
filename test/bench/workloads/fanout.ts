import { beginTask, subscribe } from '../load/calls.js';
import { HttpLoad } from '../load/http-load.js';
import { StreamLoad } from '../load/stream-load.js';
import { type Contender } from '../measure/contender.js';
import { claimsOf, type Claim, type Result, type Row, rowsOf } from '../measure/result.js';
import { measureRounds, type Spread, spreadOf } from '../measure/rounds.js';
import { type BenchOptions, printProfile, withContenders, type Workload } from '../measure/workload.js';
import { HTTP_PEERS, NEST_EXPRESS, OURS_EXPRESS, OURS_FASTIFY, RAW, SDK } from './peers.js';
import { taskIdIn } from './unary.js';

const EVENTS = 100;
const KIB = 1_024;

interface Memory {
  readonly rss: number;
  readonly heap: number;
}

/** Many readers of one task. The cost is that of one event delivered to one of them. */
function fanoutWorkload(id: string, readers: number): Workload {
  const title = `${readers} readers of one task`;
  const run = (options: BenchOptions): Promise<Result> =>
    withContenders([...HTTP_PEERS, OURS_EXPRESS, OURS_FASTIFY], options, async (contenders) => {
      const memory = new Map<string, Memory[]>(contenders.map(({ name }) => [name, []]));
      const work = (contender: Contender): Promise<number> => deliver(contender, readers, memory.get(contender.name) ?? []);
      const figures = await measureRounds(contenders, Math.min(options.rounds, 5), work, 2);
      if (options.profile) await printProfile(contenders, work);
      const claims = claimsOf(figures, [
        { of: OURS_EXPRESS.name, to: RAW.name, atMost: 1.5 },
        { of: OURS_FASTIFY.name, to: RAW.name, atMost: 1.5 },
        { of: OURS_FASTIFY.name, to: SDK.name, atMost: 0.7 },
      ]);
      return {
        id,
        title,
        rows: [...rowsOf(figures, 'µs a delivery'), ...memoryRows(memory)],
        claims: [...claims, ...memoryClaims(memory)],
      };
    });
  return { id, title, run };
}

export const W6_SMALL = fanoutWorkload('W6a', 200);
export const W6 = fanoutWorkload('W6', 1_000);

async function deliver(contender: Contender, readers: number, memory: Memory[]): Promise<number> {
  const { ports, spec, streamPath } = contender;
  const load = await HttpLoad.open(ports.http, 1);
  const { body } = await load.run(beginTask(`fanout ${EVENTS}`), 1);
  const taskId = spec.server === RAW.server || spec.server === NEST_EXPRESS.server ? 'any' : taskIdIn(body);
  const before = await contender.ask('memory');
  const streams = await StreamLoad.open(ports.http, readers);
  const { ended } = await streams.subscribe(subscribe(taskId, streamPath));
  const after = await contender.ask('memory');
  memory.push({ rss: (after.rss - before.rss) / readers, heap: (after.heap - before.heap) / readers });
  await contender.ask('go');
  await ended;
  const delivered = streams.events;
  streams.close();
  load.close();
  return delivered;
}

function memoryRows(memory: ReadonlyMap<string, readonly Memory[]>): Row[] {
  return [...memory].flatMap(([name, samples]) => [
    { name, figure: inKib(samples.map(({ heap }) => heap)), unit: 'KiB of heap a stream' },
    { name, figure: inKib(samples.map(({ rss }) => rss)), unit: 'KiB of memory a stream' },
  ]);
}

function memoryClaims(memory: ReadonlyMap<string, readonly Memory[]>): Claim[] {
  const ours = memory.get(OURS_FASTIFY.name) ?? [];
  if (ours.length === 0) return [];
  return [
    { text: `${OURS_FASTIFY.name}, KiB of heap a stream`, measured: inKib(ours.map(({ heap }) => heap)), atMost: 12 },
    {
      text: `${OURS_FASTIFY.name}, KiB of memory a stream, first time`,
      measured: inKib(ours.slice(0, 1).map(({ rss }) => rss)),
      atMost: 35,
    },
  ];
}

function inKib(bytes: readonly number[]): Spread {
  return spreadOf(bytes.map((value) => value / KIB));
}
