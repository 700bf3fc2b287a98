import { sendMessage } from '../load/calls.js';
import { HttpLoad } from '../load/http-load.js';
import { type Contender } from '../measure/contender.js';
import { type Claim, type Row } from '../measure/result.js';
import { spreadOf } from '../measure/rounds.js';
import { type Workload } from '../measure/workload.js';
import { type Measure, onAllStores } from './all-stores.js';
import { SDK } from './peers.js';
import { taskIdIn } from './unary.js';

const TURNS = 1_000;
const WINDOW = 25;

const measureConversation: Measure = async (contenders) => {
  const rows: Row[] = [];
  const claims: Claim[] = [];
  for (const contender of contenders) {
    await converse(contender, 100);
    const costs = await converse(contender, TURNS);
    const [early, late] = [spreadOf(costs.slice(1, 3)), spreadOf(costs.slice(-2))];
    rows.push({ name: `${contender.name}, turn 50`, figure: early, unit: 'µs a turn' });
    rows.push({ name: `${contender.name}, turn 1,000`, figure: late, unit: 'µs a turn' });
    if (contender.name === SDK.name) continue;
    claims.push({ text: `${contender.name}, turn 1,000 ÷ turn 50`, measured: spreadOf([late.median / early.median]), atMost: 1.5 });
  }
  return { rows, claims };
};

/** @returns CPU microseconds of a turn, on average over each window of turns */
async function converse(contender: Contender, turns: number): Promise<number[]> {
  const load = await HttpLoad.open(contender.ports.http, 1);
  const first = await load.run(sendMessage('converse', { historyLength: 5 }), 1);
  const taskId = taskIdIn(first.body);
  const costs: number[] = [];
  for (let turn = 0; turn < turns; turn += WINDOW) {
    const before = await contender.cpu();
    await load.run(sendMessage('converse', { taskId, historyLength: 5 }), WINDOW);
    costs.push(((await contender.cpu()) - before) / WINDOW);
  }
  load.close();
  return costs;
}

/** One conversation of a thousand turns, each asking for the last five messages only. */
export const W8B: Workload = onAllStores('W8b', 'a conversation of 1,000 turns', measureConversation);
