import { streamMessage } from '../load/calls.js';
import { HttpLoad } from '../load/http-load.js';
import { type Contender } from '../measure/contender.js';
import { type Claim, type Row } from '../measure/result.js';
import { spreadOf } from '../measure/rounds.js';
import { type Workload } from '../measure/workload.js';
import { type Measure, onAllStores } from './all-stores.js';
import { OURS_FASTIFY, SDK } from './peers.js';

const LENGTHS = [500, 1_000, 2_000, 4_000];
/** The SDK's cost grows with the square. */
const LONGEST_OF_SDK = 2_000;

const measureGrowth: Measure = async (contenders, rounds) => {
  const rows: Row[] = [];
  const claims: Claim[] = [];
  const totals = new Map<string, Map<number, number>>();
  for (const contender of contenders) {
    const lengths = contender.name === SDK.name ? LENGTHS.filter((length) => length <= LONGEST_OF_SDK) : LENGTHS;
    await grow(contender, lengths[0] ?? 0);
    const costs = new Map<number, number>();
    for (const length of lengths)
      costs.set(length, await leastOf(contender.name === SDK.name ? 1 : Math.min(rounds, 3), () => grow(contender, length)));
    totals.set(contender.name, costs);
    for (const [length, cost] of costs)
      rows.push({ name: `${contender.name}, ${length} chunks`, figure: spreadOf([cost / 1e6]), unit: 'CPU s' });
    const [first = 0, last = 0] = [costs.get(LENGTHS[0] ?? 0), costs.get(LENGTHS.at(-1) ?? 0)];
    const exponent = Math.log(last / first) / Math.log((LENGTHS.at(-1) ?? 1) / (LENGTHS[0] ?? 1));
    if (last > 0) claims.push({ text: `${contender.name}, exponent from 500 to 4,000`, measured: spreadOf([exponent]), atMost: 1.15 });
  }
  const ours = totals.get(OURS_FASTIFY.name)?.get(LONGEST_OF_SDK);
  const theirs = totals.get(SDK.name)?.get(LONGEST_OF_SDK);
  if (ours && theirs) claims.push({ text: `${OURS_FASTIFY.name} ÷ SDK at 2,000`, measured: spreadOf([ours / theirs]), atMost: 0.04 });
  return { rows, claims };
};

/** @returns CPU microseconds of the whole stream */
async function grow(contender: Contender, chunks: number): Promise<number> {
  const load = await HttpLoad.open(contender.ports.http, 1);
  const before = await contender.cpu();
  await load.run(streamMessage(`stream ${chunks}`, contender.streamPath), 1);
  const spent = (await contender.cpu()) - before;
  load.close();
  return spent;
}

async function leastOf(times: number, measure: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < times; time++) least = Math.min(least, await measure());
  return least;
}

/** One task that grows by thousands of chunks: does the last event cost what the first did? */
export const W8A: Workload = onAllStores('W8a', 'a task that grows by N chunks', measureGrowth);
